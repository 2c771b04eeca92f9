// GET /api/v1/deleveraging (NAT-2, LIQ-4): the public list of positions that were closed against
// other positions. Each row has the figures that ranked its counterparty. It names no account.

import { Type } from 'typebox';
import { buy } from '../../engine/orderTypes.ts';
import type { Deleveraging } from '../../market-data/deleveragings.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  decimalText,
  exactObject,
  idText,
  symbolText,
  timeNumber,
  wordsText,
} from '../answerSchema.ts';
import { moneyText, priceText, quantityText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { marketParameter, optional } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listDeleveragings = defineProcedure({
  ...routes.listDeleveragings,
  name: 'listDeleveragings',
  surface: 'native',
  weight: 1,
  summary: 'The public list of deleveragings, oldest first; without a time, the latest ones.',
  parameters: Type.Object({ symbol: optional(marketParameter()), ...nativeWindowParameters }),
  failures: ['databaseFailed'],
  response: Type.Array(
    exactObject({
      id: idText(),
      symbol: symbolText(),
      cause: wordsText(['deleveraging', 'fund_reduction']),
      side: wordsText(
        ['BUY', 'SELL'],
        'The side of the trade for the position that had to be closed.',
      ),
      price: decimalText(),
      mark_price: decimalText(),
      quantity: decimalText(),
      rank: exactObject(
        {
          unrealized_profit: decimalText(),
          notional: decimalText(),
          entry_notional: decimalText(),
          equity: decimalText(),
        },
        'Figures of the counterparty before the trade, in USDT.',
      ),
      time: timeNumber(),
    }),
  ),
  procedure: async ({ deployment }, sent) => {
    const rows = await deployment.deleveragings(nativeWindow(sent));
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => deleveragingRecord(row, marketOf(deployment, row))));
  },
});

function deleveragingRecord(row: Deleveraging, market: ReturnType<typeof marketOf>) {
  return {
    id: formatUuid(row.time, row.id),
    symbol: market.symbol,
    cause: row.cause,
    side: row.side === buy ? 'BUY' : 'SELL',
    price: priceText(row.ticks, market),
    mark_price: priceText(row.mark, market),
    quantity: quantityText(row.lots, market),
    rank: {
      unrealized_profit: moneyText(row.unrealized),
      notional: moneyText(row.notional),
      entry_notional: moneyText(row.entry),
      equity: moneyText(row.equity),
    },
    time: row.time,
  };
}
