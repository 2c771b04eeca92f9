// Asks whether a position shall be turned round: what will be sent, and what became of it.

import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { lotsOfPosition } from '../state/closePosition.ts';
import { gridText } from '../state/grid.ts';
import { grouping } from '../state/grouping.ts';
import { reversePosition } from '../state/reversePosition.ts';
import { sayFailure } from '../state/sayFailure.ts';
import { ActDialog } from './ActDialog.tsx';
import type { PositionDialogProps } from './CloseAtPrice.tsx';
import { positionActMessages } from './positionActMessages.ts';
import { positionMessages } from './positionMessages.ts';

export function ReversePosition({ position, market, onClose }: PositionDialogProps) {
  const page = usePage();
  const text = positionActMessages();
  const { symbol, base, lot } = market;
  const size = `${grouping(gridText(lotsOfPosition(position, market), lot))} ${base}`;
  const act = async (): Promise<string> => {
    const reversal = await reversePosition(page, position, market);
    switch (reversal.kind) {
      case 'placed':
        return '';
      case 'notClosed':
        return failureText(reversal.error);
      case 'tooLarge':
        return text.reverseTooLarge(reversal.filled, `${reversal.whole} ${base}`);
      case 'closedInPart':
        return text.closedInPart(reversal.closed.executed_qty, size);
      case 'notOpened':
        // The row of the position has gone, and the dialog with it.
        sayFailure(page, text.notOpened, reversal.error);
        return '';
    }
  };
  return (
    <ActDialog
      title={text.reverseTitle(symbol)}
      onClose={onClose}
      act={act}
      name={positionMessages().reverse}
    >
      <p>{text.reverseText(size)}</p>
      <p class="muted">{text.reverseLimits}</p>
    </ActDialog>
  );
}
