// Turns a position round: one market order closes it and opens as much on the other side.

import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { lotsOfPosition, reversingOrder } from '../state/closePosition.ts';
import { gridText } from '../state/grid.ts';
import { grouping } from '../state/grouping.ts';
import { tryToPlace } from '../state/placeOrder.ts';
import { ActDialog } from './ActDialog.tsx';
import type { PositionDialogProps } from './CloseAtPrice.tsx';
import { positionActMessages } from './positionActMessages.ts';
import { positionMessages } from './positionMessages.ts';

export function ReversePosition({ position, market, onClose }: PositionDialogProps) {
  const page = usePage();
  const text = positionActMessages();
  const held = lotsOfPosition(position, market);
  const shown = (lots: bigint): string => `${grouping(gridText(lots, market.lot))} ${market.base}`;
  const act = async (): Promise<string> => {
    const failed = await tryToPlace(page, reversingOrder(position, market));
    return failed === undefined ? '' : failureText(failed.error);
  };
  return (
    <ActDialog
      title={text.reverseTitle(market.symbol)}
      onClose={onClose}
      act={act}
      name={positionMessages().reverse}
    >
      <p>{text.reverseText(shown(2n * held), shown(held))}</p>
    </ActDialog>
  );
}
