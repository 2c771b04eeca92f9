// Turns what happens to the account into notices. What happened while the page was away is no news:
// it goes to the list of past notices alone.

import { disconnectMessages } from '../messages/disconnectMessages.ts';
import type { AccountNews, Fill, Order } from '../state/account.ts';
import type { Notice } from '../state/notices.ts';
import type { Page } from '../state/page.ts';
import { fillNotice } from './fillNotice.ts';
import { liquidationNotice } from './liquidationNotice.ts';

/** What is older has happened while the page was away. */
const staleMs = 15_000;
/** Fills of one order within this time are one notice; the answer to an order comes before it. */
const gatherMs = 700;

type NewsPage = Pick<Page, 'notices' | 'serverClock' | 'onNews'>;

/** Returns the way to stop. */
export function followNews(page: NewsPage): () => void {
  const { notices, serverClock } = page;
  const gathered = new Map<string, [Fill, ...Fill[]]>();
  const report = (notice: Omit<Notice, 'id'> | undefined, time: number): void => {
    if (notice === undefined) return;
    if (serverClock.now() - time > staleMs) notices.note(notice, time);
    else notices.say(notice);
  };
  const reportFills = (order: string): void => {
    const fills = gathered.get(order);
    gathered.delete(order);
    if (fills === undefined) return;
    // The answer to the order has said it.
    const isSaid = notices.past.value.some((notice) => notice.order === order);
    if (isSaid && fills.every(({ maker }) => !maker)) return;
    report(fillNotice(fills), Math.max(...fills.map(({ time }) => time)));
  };
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const soon = (step: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      step();
    }, gatherMs);
    timers.add(timer);
  };
  const gather = (fill: Fill): void => {
    const known = gathered.get(fill.order_id);
    if (known !== undefined) {
      known.push(fill);
      return;
    }
    gathered.set(fill.order_id, [fill]);
    soon(() => reportFills(fill.order_id));
  };
  /** Those of one disconnect come together. */
  const cutOff: Order[] = [];
  const gatherCutOff = (order: Order): void => {
    cutOff.push(order);
    if (cutOff.length > 1) return;
    soon(() => {
      const orders = cutOff.splice(0);
      const symbols = [...new Set(orders.map(({ symbol }) => symbol))].join(', ');
      const title = disconnectMessages().ended;
      const notice = { kind: 'bad', title, text: `${symbols}: ${orders.length}` } as const;
      report(notice, Math.max(...orders.map(({ update_time: time }) => time)));
    });
  };
  const stop = page.onNews((news: AccountNews) => {
    if (news.kind === 'fill') gather(news.fill);
    if (news.kind === 'orderEnded' && news.order.cancel_reason === 'DISCONNECT') {
      gatherCutOff(news.order);
    }
    if (news.kind === 'liquidation')
      report(liquidationNotice(news.liquidation), news.liquidation.time);
  });
  return () => {
    stop();
    for (const timer of timers) clearTimeout(timer);
  };
}
