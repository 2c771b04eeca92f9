// GET /operator/markets/{symbol}/brackets (MAR-10, OPS-7): a table of brackets that fits an
// insurance fund, with the derivation of each step. It changes nothing; changeMarket takes the
// table.

import { Type } from 'typebox';
import { holeOfTable, lossRateUp } from '../../engine/views/holeOfTable.ts';
import type { Market } from '../../engine/views/market.ts';
import { formatTrimmed } from '../../units/decimal.ts';
import { type Money, type Rate, rateDecimals, rateOne } from '../../units/units.ts';
import { countNumber, decimalText, exactObject, plainText, symbolText } from '../answerSchema.ts';
import { moneyText, rateText } from '../grid.ts';
import { answerJson, defineQuery } from '../operation.ts';
import { decimalParameter, marketParameter } from '../parameterSchema.ts';
import { readExactRate, readTypedMoney } from '../readExactMoney.ts';
import type { Refusal } from '../refusal.ts';
import { bracketRecord, bracketSchema } from '../termsRecord.ts';
import {
  type BracketStep,
  type DerivedTable,
  deriveBrackets,
  fundParts,
} from './deriveBrackets.ts';

export const getBracketTable = defineQuery({
  name: 'getBracketTable',
  surface: 'operator',
  method: 'GET',
  path: '/operator/markets/:symbol/brackets',
  auth: 'operator',
  weight: 1,
  summary:
    'Derives brackets with which a gap costs at most a quarter of the fund; changes nothing.',
  parameters: Type.Object({
    symbol: marketParameter(),
    fund: decimalParameter({ description: 'What the insurance fund has for it, USDT above 0.' }),
    gap: decimalParameter({
      description: 'The jump of the price, above 0 and below 1: 0.05 is 5 %.',
    }),
  }),
  failures: ['parameterIllegal', 'quantityInvalid', 'conflict'],
  response: exactObject({
    symbol: symbolText(),
    fund_usd: decimalText(),
    gap_rate: decimalText(),
    brackets: Type.Array(bracketSchema),
    hole_usd: decimalText('What the gap costs at most when one side is full, rounded up.'),
    steps: Type.Array(
      exactObject({
        leverage: countNumber('The highest for what opens in this bracket.'),
        loss_usd: decimalText('What the gap costs in this bracket, rounded up.'),
        text: plainText('How the bracket was derived.'),
      }),
    ),
  }),
  query: (_context, { symbol: market, fund: fundText, gap: gapText }) => {
    const fund = readTypedMoney(fundText, 'fund');
    if (typeof fund !== 'number') return fund;
    if (fund <= 0) return { reason: 'quantityInvalid', name: 'fund' };
    const gap = readExactRate(gapText, 'gap');
    if (typeof gap !== 'number') return gap;
    if (gap <= 0 || gap >= rateOne) return { reason: 'quantityInvalid', name: 'gap' };
    const { terms } = market;
    const derived = deriveBrackets({
      fund,
      gap,
      cap: terms.openInterestCap,
      maxLeverage: terms.maxLeverage,
      baseRate: terms.maintenanceMarginRate,
      orderMin: terms.minOrderSize,
    });
    if (derived.kind !== 'derived') return refusalOf(derived, market, { fund, gap });
    const { steps } = derived;
    return answerJson({
      symbol: market.symbol,
      fund_usd: moneyText(fund),
      gap_rate: rateText(gap),
      brackets: steps.map(bracketRecord),
      hole_usd: moneyText(holeOfTable(steps, gap, terms.openInterestCap)),
      steps: steps.map((step) => ({
        leverage: step.leverage,
        loss_usd: moneyText(step.loss),
        text: stepText(step, gap),
      })),
    });
  },
});

/** A rate in percent. */
const percent = (rate: number): string => `${formatTrimmed(rate, rateDecimals - 2)} %`;

function stepText({ rate, floor, upTo, share, reach, loss }: BracketStep, gap: Rate): string {
  const range = `From ${moneyText(floor)} to ${moneyText(upTo)} USDT the rate is ${percent(rate)}`;
  const more = lossRateUp(gap, rate);
  if (more === 0) return `${range}: a gap of ${percent(gap)} takes no more than two thirds of it.`;
  const lost =
    `a gap of ${percent(gap)} takes ${percent(more)} more than two thirds of it, ` +
    `${moneyText(loss)} USDT`;
  if (reach === undefined) {
    return `${range}: ${lost}. ${moneyText(share)} USDT are left for it: it reaches the cap.`;
  }
  return (
    `${range}: ${lost}. Its share of what is left is ${moneyText(share)} USDT and would reach to ` +
    `${moneyText(reach)} USDT; the bound is the next lower figure of the list.`
  );
}

type Asked = { readonly fund: Money; readonly gap: Rate };

function refusalOf(
  derived: Exclude<DerivedTable, { kind: 'derived' }>,
  { symbol, terms }: Market,
  { fund, gap }: Asked,
): Refusal {
  if (derived.kind === 'gapTooLarge') {
    const detail =
      `No table bears a gap of ${percent(gap)}: the highest maintenance rate that leaves a ` +
      'leverage of 1 is 50 %, and a liquidation leaves two thirds of it.';
    return { reason: 'conflict', detail };
  }
  const { maxLeverage, maintenanceMarginRate: rate, minOrderSize } = terms;
  const detail =
    `A fund of ${moneyText(fund)} USDT cannot bear a gap of ${percent(gap)} in ${symbol}: its ` +
    `share of one ${fundParts}th does not pay for ${moneyText(minOrderSize)} USDT at the rate of ` +
    `${percent(rate)} (leverage ${maxLeverage}). Give the fund more, or set a max_leverage of ` +
    `${derived.leverage} and a maintenance_margin_rate of one and a half times the gap.`;
  return { reason: 'conflict', detail };
}
