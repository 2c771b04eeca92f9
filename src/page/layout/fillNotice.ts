// What a notice says about fills of one order that came together.

import { tradingMessages } from '../messages/tradingMessages.ts';
import type { Fill } from '../state/account.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { grouping, trimmed } from '../state/grouping.ts';
import type { Notice } from '../state/notices.ts';

/** Decimals that no size and no value has more of. */
const scale = 8;

/** One notice of fills of one order: their size, and their average price. */
export function fillNotice(fills: readonly [Fill, ...Fill[]]): Omit<Notice, 'id'> {
  const text = tradingMessages();
  const [{ side, symbol, order_id, price }] = fills;
  const size = fills.reduce((sum, { qty }) => sum + scaledOf(qty, scale), 0n);
  const value = fills.reduce((sum, { quote_qty }) => sum + scaledOf(quote_qty, scale), 0n);
  const decimals = price.split('.')[1]?.length ?? 0;
  const average = size === 0n ? 0n : (value * 10n ** BigInt(decimals)) / size;
  const shownSize = trimmed(plainText(size, scale));
  return {
    kind: 'good',
    title: text.fill,
    text: `${text.sides[side]} ${shownSize} ${symbol} @ ${grouping(plainText(average, decimals))}`,
    order: order_id,
  };
}
