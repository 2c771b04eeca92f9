// The oracle's state of an exchange: plain records, every amount a bigint, nothing stored that
// could be added up. The files beside it change it.

import type { Grid, MarketStatus, MarketTerms } from '../../src/engine/marketTerms.ts';

export type NaiveTerms = {
  maxLeverage: bigint;
  maintenance: bigint;
  liquidationFee: bigint;
  minOrder: bigint;
  maxOrder: bigint;
  cap: bigint;
  fundingFactor: bigint;
  maxFunding: bigint;
  minFunding: bigint;
  intervalHours: number;
  slippage: bigint;
  clamp: bigint;
  band: bigint;
  makerFee: bigint;
  takerFee: bigint;
  selfTrade: string;
  sources: { source: string; weight: bigint }[];
  deliveryTime: number;
  brackets: { upTo: bigint; rate: bigint }[];
  priceBand: bigint;
  accountShare: bigint;
  fundShare: bigint;
  fundTarget: bigint;
};

/** Time in which nothing changed: the rate that held, and the lots of every account. */
export type Stretch = { ms: bigint; rate: bigint; lots: readonly bigint[] };

export type NaiveMarket = {
  id: number;
  symbol: string;
  grain: bigint;
  listedAt: number;
  terms: NaiveTerms;
  status: MarketStatus;
  index: bigint;
  mark: bigint;
  indexAt: number;
  /** In 1e-6 ticks. */
  premium: bigint;
  premiumAt: number;
  sources: { source: string; ticks: bigint; observedAt: number; takenAt: number }[];
  pending: { ticks: bigint; at: number }[];
  /** Every mark since the breaker's window began. */
  marks: { time: number; mark: bigint }[];
  breakerUntil: number;
  lastRegular: bigint;
  /** Every accepted index. */
  accepted: { time: number; ticks: bigint }[];
  /** The boundary that waits for a price, what stood in its interval, and by what it is divided. */
  due: { boundary: number; stretches: readonly Stretch[]; whole: bigint } | undefined;
  /** What stood in the interval so far, since it was last settled by hand. */
  stretches: readonly Stretch[];
  /** When the interval so far began. */
  intervalFrom: number;
  settled: boolean;
  /** Trading fees of the present minute, less rebates and shares of referrers (LIQ-8). */
  minuteFees: bigint;
};

export type NaivePosition = {
  market: number;
  /** The leverage setting, 0 while the default holds. */
  leverage: bigint;
  lots: bigint;
  entry: bigint;
  collateral: bigint;
  /** Σ lots × (rate of the bracket that they opened in − first rate) (MAR-10). */
  extra: bigint;
  /** Isolated only. */
  flagged: boolean;
  steppedAt: number;
};

export type NaiveAccount = {
  id: number;
  address: string;
  isolated: boolean;
  house: boolean;
  available: bigint;
  flagged: boolean;
  steppedAt: number;
  /** Whether it was ever a side of a trade. */
  traded: boolean;
  /** Its referral code, empty when it has none. */
  code: string;
  /** The number of its referrer, 0 when it has none. */
  referrer: number;
  /** What it may claim. */
  accrued: bigint;
  /** One for every market, by its number. */
  positions: NaivePosition[];
};

export type NaiveOrder = {
  /** The client's own id: the fuzz gives every order one. */
  name: string;
  account: number;
  market: number;
  side: bigint;
  ticks: bigint;
  reduceOnly: boolean;
  selfTrade: string;
  leverage: bigint;
  open: bigint;
  filled: bigint;
  cover: bigint;
  freeze: bigint;
  /** False while it is the incoming order. */
  resting: boolean;
  status: string;
  cancelReason: string;
};

export type NaiveWithdrawal = {
  /** The engine's number, which it gives with its answer. */
  id: number;
  account: number;
  amount: bigint;
  fee: bigint;
  createdAt: number;
  state: 'requested' | 'sent' | 'queued' | 'completed' | 'released';
};

export type NaiveVault = {
  /** Empty without a vault. */
  address: string;
  /** Every deposit, by its index from 1. */
  deposits: { address: string; units: bigint }[];
  /** What found no room, in the order of the line. */
  parked: { address: string; units: bigint }[];
  /** All that were ever requested. */
  withdrawals: NaiveWithdrawal[];
  min: bigint;
  fee: bigint;
  /** What wallets have got. */
  left: bigint;
};

export type NaiveState = {
  time: number;
  /** The first is the insurance fund. */
  accounts: NaiveAccount[];
  markets: NaiveMarket[];
  /** Live orders, oldest priority first; while one comes in it is the last. */
  orders: NaiveOrder[];
  feeRevenue: bigint;
  referral: { enabled: boolean; discount: bigint; share: bigint };
  shortfall: bigint;
  deposits: bigint;
  references: Map<string, string>;
  vault: NaiveVault;
  /** The fund's equity at the begin of every liquidation step. */
  peaks: { slot: number; equity: bigint }[];
  /** How often each path was taken; no part of the state. */
  readonly tally: Map<string, number>;
};

export function createNaiveState(): NaiveState {
  const state: NaiveState = {
    time: 0,
    accounts: [],
    markets: [],
    orders: [],
    feeRevenue: 0n,
    referral: { enabled: true, discount: 4_000_000n, share: 10_000_000n },
    shortfall: 0n,
    deposits: 0n,
    references: new Map(),
    vault: { address: '', deposits: [], parked: [], withdrawals: [], min: 1n, fee: 0n, left: 0n },
    peaks: [],
    tally: new Map(),
  };
  addAccount(state, 'insurance').house = true;
  return state;
}

export function addAccount(state: NaiveState, address: string): NaiveAccount {
  const account: NaiveAccount = {
    id: state.accounts.length,
    address,
    isolated: false,
    house: false,
    available: 0n,
    flagged: false,
    steppedAt: 0,
    traded: false,
    code: '',
    referrer: 0,
    accrued: 0n,
    positions: state.markets.map((market) => blankPosition(market.id)),
  };
  state.accounts.push(account);
  return account;
}

export function blankPosition(market: number): NaivePosition {
  return {
    market,
    leverage: 0n,
    lots: 0n,
    entry: 0n,
    collateral: 0n,
    extra: 0n,
    flagged: false,
    steppedAt: 0,
  };
}

/** A copy to try an order on. What only prices change is not copied: no order changes it. */
export function copyState(state: NaiveState): NaiveState {
  return {
    ...state,
    accounts: state.accounts.map((account) => ({
      ...account,
      positions: account.positions.map((position) => ({ ...position })),
    })),
    markets: state.markets.map((market) => ({ ...market })),
    orders: state.orders.map((order) => ({ ...order })),
  };
}

export function naiveTerms(terms: MarketTerms): NaiveTerms {
  return {
    maxLeverage: BigInt(terms.maxLeverage),
    maintenance: BigInt(terms.maintenanceMarginRate),
    liquidationFee: BigInt(terms.liquidationFeeRate),
    minOrder: BigInt(terms.minOrderSize),
    maxOrder: BigInt(terms.maxOrderSize),
    cap: BigInt(terms.openInterestCap),
    fundingFactor: BigInt(terms.fundingFactor),
    maxFunding: BigInt(terms.maxFundingRate),
    minFunding: BigInt(terms.minFundingRate),
    intervalHours: terms.fundingIntervalHours,
    slippage: BigInt(terms.maxMarketSlippage),
    clamp: BigInt(terms.markClamp),
    band: BigInt(terms.markBand),
    makerFee: BigInt(terms.makerFee),
    takerFee: BigInt(terms.takerFee),
    selfTrade: terms.selfTradePrevention,
    sources: terms.indexSources.map(({ source, weight }) => ({ source, weight: BigInt(weight) })),
    deliveryTime: terms.deliveryTime,
    brackets: terms.brackets.map(({ upTo, rate }) => ({ upTo: BigInt(upTo), rate: BigInt(rate) })),
    priceBand: BigInt(terms.priceBand),
    accountShare: BigInt(terms.accountShareMax),
    fundShare: BigInt(terms.fundFeeShare),
    fundTarget: BigInt(terms.fundTarget),
  };
}

/** Money of one tick times one lot (UNIT-1). */
export function grainOf(tick: Grid, lot: Grid): bigint {
  const places = 6 - tick.decimals - lot.decimals;
  if (places < 0) throw new Error('the fuzz lists no market below the grain of money');
  return BigInt(tick.step) * BigInt(lot.step) * 10n ** BigInt(places);
}

export function count(state: NaiveState, what: string): void {
  state.tally.set(what, (state.tally.get(what) ?? 0) + 1);
}
