// Says what happens to the account while the person looks elsewhere: fills of resting orders,
// liquidation, deleveraging, the end of a session. It draws nothing.

import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { tradingMessages } from '../messages/tradingMessages.ts';
import type { AccountNews } from '../state/account.ts';
import { grouping } from '../state/grouping.ts';
import type { Notice } from '../state/notices.ts';
import { layoutMessages } from './layoutMessages.ts';

export function AccountNotices() {
  const { onNews, notices, session } = usePage();
  useEffect(
    () =>
      onNews((news) => {
        const notice = noticeOf(news);
        if (notice !== undefined) notices.say(notice);
      }),
    [onNews, notices],
  );
  useSignalEffect(() => {
    if (!session.hasExpired.value) return;
    notices.say({ kind: 'bad', title: layoutMessages().sessionExpired, text: '' });
  });
  return null;
}

/** The answer to an order already says what became of it at once; a maker learns it here. */
function noticeOf(news: AccountNews): Omit<Notice, 'id'> | undefined {
  const text = tradingMessages();
  switch (news.kind) {
    case 'fill': {
      const { maker, side, qty, symbol, price } = news.fill;
      if (!maker) return undefined;
      const what = `${text.sides[side]} ${qty} ${symbol} @ ${grouping(price)}`;
      return { kind: 'good', title: text.fill, text: what };
    }
    case 'liquidation': {
      const { liquidation } = news;
      switch (liquidation.kind) {
        case 'flagged':
          return { kind: 'bad', title: text.liquidationStarted, text: liquidation.symbol ?? '' };
        case 'cleared':
          return { kind: 'plain', title: text.liquidationEnded, text: liquidation.symbol ?? '' };
        case 'takeover':
        case 'deleveraging': {
          const { symbol, qty, price, realized_pnl } = liquidation;
          const title = liquidation.kind === 'takeover' ? text.liquidated : text.deleveraged;
          const what = `${qty} ${symbol} @ ${grouping(price)}, PnL ${grouping(realized_pnl)} USDT`;
          return { kind: 'bad', title, text: what };
        }
        default:
          return undefined;
      }
    }
    default:
      return undefined;
  }
}
