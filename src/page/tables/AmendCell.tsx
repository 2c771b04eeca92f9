// A number of an order that can be changed where it stands: a click or Enter opens its field.

import type { Grid } from '../../client/grid.ts';
import { useLoadedDialog } from '../components/useLoadedDialog.ts';
import type { Amendment } from '../state/amendOrder.ts';
import { grouping } from '../state/grouping.ts';
import type { Market } from '../state/market.ts';
import type { AmendFieldProps } from './AmendField.tsx';
import type { OpenRow } from './openRow.ts';
import { orderMessages } from './orderMessages.ts';

export type AmendCellProps = {
  readonly row: OpenRow;
  readonly market: Market;
  /** As the wire has it. */
  readonly value: string;
  readonly grid: Grid;
  /** What becomes of the order with this number. */
  readonly change: (steps: bigint) => Amendment;
};

export function AmendCell(props: AmendCellProps) {
  const { Shown, show, hide } = useLoadedDialog<AmendFieldProps>(
    async () => (await import('./AmendField.tsx')).AmendField,
  );
  if (Shown !== undefined) return <Shown {...props} onClose={hide} />;
  return (
    <button type="button" class="amend" title={orderMessages().amend} onClick={() => void show()}>
      {grouping(props.value)}
    </button>
  );
}
