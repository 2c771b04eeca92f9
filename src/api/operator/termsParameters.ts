// The members of the market record (OPS-2) as parameters of listing and changing, and their texts
// as terms of the engine. Only this file maps the names of the wire to the names of the engine.

import { type Static, Type } from 'typebox';
import type { Bracket } from '../../engine/bracket.ts';
import {
  type IndexSource,
  type MarketTerms,
  marketStatuses,
  underlyingTypes,
} from '../../engine/marketTerms.ts';
import { selfTradeModes } from '../../engine/orderTypes.ts';
import type { Rejection } from '../../engine/rejection.ts';
import { parseScaled } from '../../units/decimal.ts';
import type { Money, Rate, Time } from '../../units/units.ts';
import { isFields, scalarOf, type Value } from '../fields.ts';
import {
  choiceParameter,
  decimalParameter,
  integerParameter,
  listParameter,
  optional,
} from '../parameterSchema.ts';
import { readExactMoney, readExactRate } from '../readExactMoney.ts';
import type { Refusal } from '../refusal.ts';

/** The end of the year 9999. */
const deliveryTimeMax = 253_402_300_799_999;

const rate = () => optional(decimalParameter());
const money = () => optional(decimalParameter({ description: 'USDT.' }));

/**
 * The parameters that listing and changing share. Absent members take the defaults, or stay
 * unchanged.
 */
export const termsParameters = {
  max_leverage: optional(integerParameter()),
  maintenance_margin_rate: rate(),
  liquidation_fee_rate: rate(),
  min_order_size_usd: money(),
  max_order_size_usd: money(),
  oi_cap_usd: money(),
  funding_factor: rate(),
  max_funding_rate: rate(),
  min_funding_rate: rate(),
  funding_interval_hours: optional(integerParameter()),
  max_market_slippage: rate(),
  mark_clamp: rate(),
  mark_band: rate(),
  maker_fee: rate(),
  taker_fee: rate(),
  self_trade_prevention: optional(choiceParameter(selfTradeModes)),
  index_sources: optional(listParameter({ description: 'Of {source, weight}.' })),
  underlying_type: optional(choiceParameter(underlyingTypes)),
  status: optional(choiceParameter(marketStatuses)),
  delivery_time: optional(
    integerParameter({
      min: 0,
      max: deliveryTimeMax,
      description: 'Milliseconds; 0 for none. For status CLOSE.',
    }),
  ),
  brackets: optional(listParameter({ description: 'Of {up_to_usd, rate}.' })),
  price_band: rate(),
  account_share_max: rate(),
  fund_fee_share: rate(),
  fund_target_usd: money(),
  gap_rate: rate(),
};

const termsSchema = Type.Object(termsParameters);
export type SentTerms = Static<typeof termsSchema>;

type RateName = {
  [K in keyof MarketTerms]: MarketTerms[K] extends Rate ? K : never;
}[keyof MarketTerms];
type MoneyName = {
  [K in keyof MarketTerms]: MarketTerms[K] extends Money ? K : never;
}[keyof MarketTerms];

export const rateNames = {
  maintenance_margin_rate: 'maintenanceMarginRate',
  liquidation_fee_rate: 'liquidationFeeRate',
  funding_factor: 'fundingFactor',
  max_funding_rate: 'maxFundingRate',
  min_funding_rate: 'minFundingRate',
  max_market_slippage: 'maxMarketSlippage',
  mark_clamp: 'markClamp',
  mark_band: 'markBand',
  maker_fee: 'makerFee',
  taker_fee: 'takerFee',
  price_band: 'priceBand',
  account_share_max: 'accountShareMax',
  fund_fee_share: 'fundFeeShare',
  gap_rate: 'gapRate',
} as const satisfies Partial<Record<keyof SentTerms, RateName>>;

export const moneyNames = {
  min_order_size_usd: 'minOrderSize',
  max_order_size_usd: 'maxOrderSize',
  oi_cap_usd: 'openInterestCap',
  fund_target_usd: 'fundTarget',
} as const satisfies Partial<Record<keyof SentTerms, MoneyName>>;

const plainNames = {
  max_leverage: 'maxLeverage',
  funding_interval_hours: 'fundingIntervalHours',
  self_trade_prevention: 'selfTradePrevention',
  index_sources: 'indexSources',
  underlying_type: 'underlyingType',
  delivery_time: 'deliveryTime',
  brackets: 'brackets',
} as const satisfies Partial<Record<keyof SentTerms, keyof MarketTerms>>;

const wireNames = new Map<string, string>(
  Object.entries({ ...rateNames, ...moneyNames, ...plainNames }).map(([wire, own]) => [own, wire]),
);
wireNames.set('tickSize', 'tick_size');

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The sent terms only; the engine judges their values. */
export function readTerms(sent: SentTerms): Partial<MarketTerms> | Refusal {
  const terms: Partial<Writable<MarketTerms>> = {};
  for (const [name, own] of entriesOf(rateNames)) {
    const text = sent[name];
    if (text === undefined) continue;
    const value = readExactRate(text, name);
    if (typeof value !== 'number') return value;
    terms[own] = value;
  }
  for (const [name, own] of entriesOf(moneyNames)) {
    const text = sent[name];
    if (text === undefined) continue;
    const value = readExactMoney(text, name);
    if (typeof value !== 'number') return value;
    terms[own] = value;
  }
  if (sent.max_leverage !== undefined) terms.maxLeverage = sent.max_leverage;
  const hours = sent.funding_interval_hours;
  if (hours !== undefined) terms.fundingIntervalHours = hours;
  const mode = sent.self_trade_prevention;
  if (mode !== undefined) terms.selfTradePrevention = mode;
  if (sent.underlying_type !== undefined) terms.underlyingType = sent.underlying_type;
  if (sent.delivery_time !== undefined) terms.deliveryTime = sent.delivery_time as Time;
  if (sent.index_sources !== undefined) {
    const sources = readSources(sent.index_sources);
    if (sources === undefined) return { reason: 'parameterMalformed', name: 'index_sources' };
    terms.indexSources = sources;
  }
  if (sent.brackets !== undefined) {
    const brackets = readBrackets(sent.brackets);
    if ('reason' in brackets) return brackets;
    terms.brackets = brackets;
  }
  return terms;
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}

export function readSources(list: readonly Value[]): IndexSource[] | undefined {
  const sources: IndexSource[] = [];
  for (const item of list) {
    if (!isFields(item)) return undefined;
    const source = scalarOf(item, 'source');
    const weight = parseScaled(scalarOf(item, 'weight') ?? '', 0);
    if (source === undefined || weight.kind !== 'exact') return undefined;
    sources.push({ source, weight: weight.value });
  }
  return sources;
}

function readBrackets(list: readonly Value[]): Bracket[] | Refusal {
  const name = 'brackets';
  const brackets: Bracket[] = [];
  for (const item of list) {
    if (!isFields(item)) return { reason: 'parameterMalformed', name };
    const upTo = readExactMoney(scalarOf(item, 'up_to_usd') ?? '', name);
    if (typeof upTo !== 'number') return upTo;
    const marginal = readExactRate(scalarOf(item, 'rate') ?? '', name);
    if (typeof marginal !== 'number') return marginal;
    brackets.push({ upTo, rate: marginal });
  }
  return brackets;
}

/** A rejection of terms with the field's name on the wire; any other rejection unchanged. */
export function wireRejection(rejection: Rejection): Rejection {
  if (rejection.reason !== 'termsInvalid') return rejection;
  return { ...rejection, field: wireNames.get(rejection.field) ?? rejection.field };
}
