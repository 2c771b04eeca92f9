// GET /fapi/v1/leverageBracket (conventions, 15; MAR-10): the brackets of each market. Their
// figures are numbers, and their notional is that of a whole side of the market.

import { Type } from 'typebox';
import { marketsOf } from '../../engine/views/exchange.ts';
import { leverageInBracket } from '../../engine/views/leverageInBracket.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { type Money, moneyDecimals, noMoney, rateDecimals } from '../../units/units.ts';
import { countNumber, exactObject, symbolText } from '../answerSchema.ts';
import { moneyText, rateText } from '../grid.ts';
import { defineQuery } from '../operation.ts';
import { chosenMarkets, optionalSymbol } from './oneOrAll.ts';

export const getLeverageBracket = defineQuery({
  name: 'getLeverageBracket',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/leverageBracket',
  auth: 'key',
  weight: 1,
  summary: "Leverage and maintenance rate by a side's open interest, of one symbol or of all.",
  parameters: optionalSymbol,
  response: Type.Array(
    exactObject({
      symbol: symbolText(),
      brackets: Type.Array(
        exactObject({
          bracket: countNumber(),
          initialLeverage: countNumber('The highest for what opens in this bracket.'),
          notionalCap: Type.Number({
            description: 'Open interest of the side, not of a position.',
          }),
          notionalFloor: Type.Number(),
          maintMarginRatio: Type.Number({ description: 'What opens here keeps this rate.' }),
          cum: Type.Number({ description: 'Σ floor × rise of the rate, exact.' }),
        }),
      ),
    }),
  ),
  query: ({ deployment }, { symbol }) => {
    const markets = chosenMarkets(symbol, marketsOf(deployment.exchange));
    return { status: 200, text: `[${markets.map(bracketsText).join(',')}]` };
  },
});

const cumDecimals = moneyDecimals + rateDecimals;

/**
 * Written by hand: exact decimals become JSON numbers without passing through a double. With
 *   cum = cum of the bracket before + floor × (rate − rate before)
 * notional × rate − cum is the maintenance of a side that is filled up to a notional.
 */
function bracketsText({ symbol, terms }: Market): string {
  let cum = 0n;
  let floor: Money = noMoney;
  let before = 0n;
  const cap = terms.openInterestCap;
  const brackets: string[] = [];
  for (const { upTo, rate } of terms.brackets) {
    // A lower cap than that of the table leaves brackets that nothing can reach.
    if (floor >= cap) break;
    const end = Math.min(upTo, cap) as Money;
    cum += BigInt(floor) * (BigInt(rate) - before);
    const leverage = leverageInBracket(terms, rate);
    brackets.push(
      `{"bracket":${brackets.length + 1},"initialLeverage":${leverage}` +
        `,"notionalCap":${moneyText(end)},"notionalFloor":${moneyText(floor)}` +
        `,"maintMarginRatio":${rateText(rate)},"cum":${formatTrimmed(cum, cumDecimals)}}`,
    );
    floor = end;
    before = BigInt(rate);
  }
  return `{"symbol":"${symbol}","brackets":[${brackets.join(',')}]}`;
}
