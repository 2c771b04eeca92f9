// In which order the checks of the operator's commands about markets and fees come, of an index and
// of a batch.

import type { JudgedChange } from '../../../src/engine/command.ts';
import { marketsMax } from '../../../src/engine/limits.ts';
import type { Rate, Ticks, Time } from '../../../src/units/units.ts';
import { defaultTerms } from '../../scenarios/world.ts';
import { halted, late, marketUnknown, priceless, settled } from './commonSpoilers.ts';
import type { Precedence, Situation } from './situation.ts';

export const indexTickPrecedence: Precedence<'indexTick'> = {
  owner: 'carol',
  command: () => ({ kind: 'indexTick', prices: [] }),
  spoilers: [late],
};

/** Of its items each is judged as if it had come alone. */
export const batchPrecedence: Precedence<'batch'> = {
  owner: 'carol',
  command: () => ({ kind: 'batch', items: [] }),
  spoilers: [late],
};

export const settleFundingPrecedence: Precedence<'settleFunding'> = {
  owner: 'carol',
  command: ({ market }) => ({ kind: 'settleFunding', market: market.id }),
  spoilers: [late, marketUnknown, settled, halted, priceless],
  deviations: [
    [
      ['marketHalted: settled', 'marketHalted: status'],
      ['priceUnavailable: none'],
      'a new price would not help a market that is halted',
    ],
  ],
};

export const setFeeTiersPrecedence: Precedence<'setFeeTiers'> = {
  owner: 'carol',
  command: ({ exchange }) => ({ kind: 'setFeeTiers', tiers: exchange.feeTiers }),
  spoilers: [
    late,
    {
      name: 'feeTiersInvalid',
      spoil: ({ command }) => {
        command.tiers = [];
      },
      holds: ({ command }) => command.tiers.length === 0,
    },
  ],
};

export const flagAccountPrecedence: Precedence<'flagAccount'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'flagAccount',
    address: account.address,
    house: undefined,
    feeTier: 0,
  }),
  spoilers: [
    late,
    {
      name: 'accountUnknown',
      spoil: ({ command }) => {
        command.address = `0x${'9'.repeat(40)}`;
      },
      holds: ({ command, exchange }) => !exchange.accountByAddress.has(command.address),
    },
    {
      name: 'feeTiersInvalid',
      spoil: ({ command }) => {
        command.feeTier = 9;
      },
      holds: ({ command }) => command.feeTier === 9,
    },
  ],
};

export const listMarketPrecedence: Precedence<'listMarket'> = {
  owner: 'carol',
  command: () => ({
    kind: 'listMarket',
    symbol: 'ETHUSDT',
    baseAsset: 'ETH',
    tick: { decimals: 2, step: 1 },
    lot: { decimals: 2, step: 1 },
    terms: defaultTerms,
    status: 'TRADING',
  }),
  spoilers: [
    late,
    {
      name: 'termsInvalid: symbol',
      spoil: ({ command }) => {
        command.baseAsset = 'BTC';
      },
      holds: ({ command }) => command.symbol !== `${command.baseAsset}USDT`,
    },
    {
      name: 'symbolTaken',
      spoil: ({ command }) => {
        Object.assign(command, { symbol: 'BTCUSDT', baseAsset: 'BTC' });
      },
      holds: ({ command, exchange }) => exchange.marketBySymbol.has(command.symbol),
    },
    {
      name: 'capacityReached: markets',
      spoil: ({ exchange, market }) => {
        while (exchange.markets.length < marketsMax) exchange.markets.push(market);
      },
      holds: ({ exchange }) => exchange.markets.length >= marketsMax,
    },
    {
      name: 'termsInvalid: grid',
      spoil: ({ command }) => {
        command.tick = { decimals: 8, step: 1 };
      },
      holds: ({ command }) => command.tick.decimals === 8,
    },
    {
      name: 'termsInvalid: terms',
      spoil: ({ command }) => {
        command.terms = { ...command.terms, takerFee: -1 as Rate };
      },
      holds: ({ command }) => command.terms.takerFee < 0,
    },
  ],
  deviations: [
    [['termsInvalid: symbol'], ['capacityReached: markets'], 'a wrong symbol never fits'],
    [['symbolTaken'], ['capacityReached: markets'], 'the same market needs no more room'],
  ],
  impossible: [[['termsInvalid: symbol'], ['symbolTaken'], 'no market has a wrong symbol']],
};

/** The state that the command names as its basis, or else the current one. */
function judgedOf({ command, market }: Situation<'changeMarket'>): JudgedChange {
  const { indexSources, markClamp } = market.terms;
  const stands = { indexSources, markClamp, status: market.status, mayLiquidate: true };
  return command.judged ?? stands;
}

export const changeMarketPrecedence: Precedence<'changeMarket'> = {
  owner: 'carol',
  command: ({ market }) => ({
    kind: 'changeMarket',
    market: market.id,
    terms: { deliveryTime: 0 as Time },
    status: undefined,
  }),
  spoilers: [
    late,
    marketUnknown,
    {
      name: 'termsInvalid',
      spoil: ({ command }) => {
        command.terms = { takerFee: -1 as Rate };
      },
      holds: ({ command }) => (command.terms.takerFee ?? 0) < 0,
    },
    {
      name: 'termsChanged',
      spoil: (situation) => {
        situation.command.judged = { ...judgedOf(situation), markClamp: 1 as Rate };
      },
      holds: ({ command, market }) =>
        command.judged !== undefined && command.judged.markClamp !== market.terms.markClamp,
    },
    {
      name: 'wouldLiquidate',
      // The price has fallen during a halt, which the change ends.
      spoil: (situation) => {
        const { command, market } = situation;
        market.status = 'HALT';
        market.prices.index = 100_000 as Ticks;
        market.prices.sources = [];
        command.status = 'TRADING';
        command.judged = { ...judgedOf(situation), status: 'HALT', mayLiquidate: false };
      },
      holds: ({ command, market }) =>
        command.judged?.mayLiquidate === false && market.prices.index === 100_000,
    },
  ],
};
