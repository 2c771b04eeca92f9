// What a notice says about a liquidation or a deleveraging of the account.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Liquidation } from '../state/account.ts';
import { grouping } from '../state/grouping.ts';
import type { Notice } from '../state/notices.ts';

/** Undefined for news that need no notice. */
export function liquidationNotice(liquidation: Liquidation): Omit<Notice, 'id'> | undefined {
  const text = tradingMessages();
  switch (liquidation.kind) {
    case 'flagged':
      return { kind: 'bad', title: text.liquidationStarted, text: liquidation.symbol ?? '' };
    case 'cleared':
      return { kind: 'plain', title: text.liquidationEnded, text: liquidation.symbol ?? '' };
    case 'takeover':
    case 'deleveraging':
    case 'fund_reduction': {
      const { symbol, side, qty, price, realized_pnl } = liquidation;
      const title = liquidation.kind === 'takeover' ? text.liquidated : text.deleveraged;
      const what = `${text.sides[side]} ${qty} ${symbol} @ ${grouping(price)}`;
      const isLoss = realized_pnl.startsWith('-');
      const result = isLoss ? text.loss : text.gain;
      return {
        kind: 'bad',
        title,
        text: `${what}, ${result(grouping(realized_pnl.replace('-', '')))}`,
      };
    }
    default:
      return undefined;
  }
}
