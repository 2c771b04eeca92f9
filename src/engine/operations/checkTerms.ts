// The requirements of a market's terms, at listing and at every change (UNIT-1, MAR-3, MAR-8,
// MAR-10, PRC-1, SYM-2, OPS-2). Each refusal names the field and the reason.

import { rateOne, type Time } from '../../units/units.ts';
import { bracketsMax, indexSourcesMax } from '../limits.ts';
import { deliveryOf } from '../market.ts';
import type { MarketStatus, MarketTerms } from '../marketTerms.ts';
import type { Rejection } from '../rejection.ts';

const leverageCeiling = 200;
const moneyCeiling = 1_000_000_000_000_000;

type Rule = readonly [field: keyof MarketTerms, holds: boolean, detail: string];

/** The first rule that the terms break, or undefined. */
export function checkTerms(terms: MarketTerms): Rejection | undefined {
  const rules = [
    ...sizeRules(terms),
    ...rateRules(terms),
    ...bracketRules(terms),
    ...riskRules(terms),
    ...sourceRules(terms),
  ];
  const broken = rules.find(([, holds]) => !holds);
  if (broken === undefined) return undefined;
  const [field, , detail] = broken;
  return { reason: 'termsInvalid', field, detail };
}

/** SYM-2a: a market is never closed for a delivery whose time has passed. */
export function checkDelivery(
  wanted: { readonly status: MarketStatus; readonly terms: MarketTerms },
  now: Time,
): Rejection | undefined {
  const time = deliveryOf(wanted);
  if (time === 0 || time > now) return undefined;
  return { reason: 'termsInvalid', field: 'deliveryTime', detail: 'in the future' };
}

function sizeRules(terms: MarketTerms): Rule[] {
  const { maxLeverage, minOrderSize, maxOrderSize, openInterestCap } = terms;
  const hours = terms.fundingIntervalHours;
  const whole = Number.isInteger(maxLeverage) && maxLeverage >= 1;
  return [
    [
      'maxLeverage',
      whole && maxLeverage <= leverageCeiling,
      `a whole number in 1…${leverageCeiling}`,
    ],
    ['minOrderSize', isMoney(minOrderSize), 'a positive amount'],
    ['maxOrderSize', isMoney(maxOrderSize) && maxOrderSize >= minOrderSize, 'at least the minimum'],
    ['openInterestCap', isMoney(openInterestCap), 'a positive amount'],
    [
      'fundingIntervalHours',
      Number.isInteger(hours) && hours >= 1 && hours <= 24 && 24 % hours === 0,
      'a whole divisor of 24',
    ],
    ['deliveryTime', isMinute(terms.deliveryTime), 'a whole minute'],
  ];
}

function rateRules(terms: MarketTerms): Rule[] {
  const { maintenanceMarginRate: maintenance, liquidationFeeRate, makerFee, takerFee } = terms;
  const { markClamp, markBand, maxMarketSlippage, maxFundingRate, minFundingRate } = terms;
  const initial = rateOne / terms.maxLeverage;
  return [
    ['liquidationFeeRate', isRate(liquidationFeeRate, 0), 'a rate below 1'],
    [
      'maintenanceMarginRate',
      isRate(maintenance, 1) && maintenance < initial,
      'below the initial rate at maximum leverage',
    ],
    [
      'maintenanceMarginRate',
      maintenance >= 2 * liquidationFeeRate,
      'at least twice the liquidation fee rate',
    ],
    ['takerFee', isRate(takerFee, 0), 'a rate below 1'],
    [
      'makerFee',
      isRate(Math.abs(makerFee), 0) && makerFee + takerFee >= 0,
      'maker + taker not below 0',
    ],
    ['markClamp', isRate(markClamp, 0) && markClamp < maintenance, 'below the maintenance rate'],
    ['markBand', isRate(markBand, 1), 'a rate in (0, 1)'],
    ['maxMarketSlippage', isRate(maxMarketSlippage, 1), 'a rate in (0, 1)'],
    ['fundingFactor', isRate(terms.fundingFactor, 0), 'a rate below 1'],
    ['maxFundingRate', isRate(maxFundingRate, 0), 'a rate not below 0'],
    ['minFundingRate', isRate(-minFundingRate, 0), 'a rate not above 0'],
  ];
}

/** The last rule is for a cap that is raised without a table of its own. */
function bracketRules(terms: MarketTerms): Rule[] {
  const { brackets, maintenanceMarginRate, openInterestCap } = terms;
  const counted = brackets.length >= 1 && brackets.length <= bracketsMax;
  const rising = brackets.every(
    ({ upTo }, i) => isMoney(upTo) && (i === 0 || upTo > brackets[i - 1]!.upTo),
  );
  const rated = brackets.every(
    ({ rate }, i) => isRate(rate, 1) && (i === 0 || rate >= brackets[i - 1]!.rate),
  );
  const first = brackets[0]?.rate;
  const last = brackets.at(-1)?.upTo ?? 0;
  return [
    ['brackets', counted, `1…${bracketsMax} brackets`],
    ['brackets', rising, 'bounds that rise, each a positive amount'],
    ['brackets', rated, 'rates in (0, 1) that do not fall'],
    ['brackets', first === maintenanceMarginRate, 'a first rate equal to the maintenance rate'],
    ['brackets', last >= openInterestCap, 'a last bound not below the open interest cap'],
  ];
}

function riskRules(terms: MarketTerms): Rule[] {
  const { priceBand, accountShareMax, fundFeeShare, fundTarget, gapRate } = terms;
  const isShare = (value: number, min: number): boolean => isRate(value, min) || value === rateOne;
  return [
    ['priceBand', isRate(priceBand, 1), 'a rate in (0, 1)'],
    ['accountShareMax', isShare(accountShareMax, 1), 'a share above 0, at most 100 %'],
    ['fundFeeShare', isShare(fundFeeShare, 0), 'a share of 0 to 100 %'],
    ['fundTarget', fundTarget === 0 || isMoney(fundTarget), 'an amount not below 0'],
    ['gapRate', isRate(gapRate, 1), 'a rate in (0, 1)'],
  ];
}

function sourceRules(terms: MarketTerms): Rule[] {
  const { indexSources } = terms;
  const names = new Set(indexSources.map(({ source }) => source));
  const counted = indexSources.length >= 1 && indexSources.length <= indexSourcesMax;
  const named = indexSources.every(({ source }) => /^[a-z0-9:._-]{1,32}$/.test(source));
  const weighted = indexSources.every(
    ({ weight }) => Number.isInteger(weight) && weight >= 1 && weight <= 1_000_000,
  );
  return [
    [
      'indexSources',
      counted && names.size === indexSources.length,
      `1…${indexSourcesMax} different sources`,
    ],
    ['indexSources', named && weighted, 'names of [a-z0-9:._-], whole positive weights'],
  ];
}

/** A time at which an hour of whole minutes ends (SYM-2); 0 is none. */
const isMinute = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value % 60_000 === 0;

const isMoney = (value: number): boolean =>
  Number.isSafeInteger(value) && value > 0 && value <= moneyCeiling;

const isRate = (value: number, min: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value < rateOne;
