// Goal: the running hash of events misses no field of any event. Method: one sample of each event;
// every field of it changed alone must lead elsewhere, and so must every other kind.

import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/event.ts';
import type { Order } from '../../src/engine/order.ts';
import { hashEvent } from '../../src/engine/snapshot/eventHash.ts';
import type { Trigger } from '../../src/engine/trigger.ts';
import { createHash64, hashHex, hashPair } from '../../src/std/hash.ts';
import { streamTerms } from './commandStream.ts';

/** A value with its brands taken off: every field must be there. */
type Plain<T> = T extends number ? number : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

const order: Plain<Order> = {
  id: 11,
  account: 12,
  market: 13,
  side: 1,
  type: 'LIMIT',
  timeInForce: 'GTC',
  reduceOnly: false,
  selfTradeMode: 'NONE',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  origin: 'account',
  trigger: null,
  legs: { takeProfit: 27, stopLoss: 28 },
  clientOrderId: 'mine',
  createdAt: 14,
  markAtCreation: 15,
  ticks: 16,
  lots: 17,
  leverage: 18,
  status: 'CANCELED',
  cancelReason: 'USER',
  updatedAt: 19,
  open: 20,
  filled: 21,
  filledNotional: 22,
  cover: 23,
  freeze: 24,
  uncovered: 26,
  priority: 25,
  level: null,
  previous: null,
  next: null,
  position: null,
  older: null,
  newer: null,
  epoch: 0,
};
const trigger: Plain<Trigger> = {
  id: 11,
  account: 12,
  market: 13,
  route: 'algo',
  side: -1,
  type: 'STOP',
  timeInForce: 'GTC',
  lots: 14,
  ticks: 15,
  reduceOnly: true,
  closePosition: false,
  selfTradeMode: 'NONE',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  clientOrderId: 'mine',
  goodTillDate: 16,
  createdAt: 17,
  markAtCreation: 18,
  pair: { id: 26, createdAt: 27, kind: 'order' },
  legs: { takeProfit: 28, stopLoss: 29 },
  callbackRate: 19,
  activationTicks: 20,
  stopTicks: 21,
  extreme: 22,
  status: 'FAILED',
  failure: 'marginInsufficient',
  triggeredAt: 23,
  order: 24,
  updatedAt: 25,
  priority: 26,
};
const transient = new Set(['level', 'previous', 'next', 'position', 'older', 'newer', 'epoch']);
const fill = (base: number) => ({
  account: base,
  order: base + 1,
  pnl: -(base + 2),
  fee: base + 3,
  balance: 2 ** 52 + base,
  position: base + 5,
});
const place = { account: 3, market: 2 };
const row = { id: 9, ...place, amount: 4, balance: 5 };
const key = { id: 5, account: 3, apiKey: 'f'.repeat(64) };

type Samples = {
  readonly [K in Event['kind']]: Plain<Omit<Extract<Event, { readonly kind: K }>, 'kind'>>;
};

const samples: Samples = {
  accountCreated: { account: 1, address: '0xab' },
  guestCreated: { account: 1, address: '0xab' },
  accountForgotten: { account: 1 },
  loggedIn: { account: 1 },
  sessionEnded: { account: 1, id: 7 },
  accountFlagged: { account: 1, house: true, feeTier: 2 },
  credited: { account: 1, amount: 5, balance: 6, reference: 'r', id: 7 },
  orderPlaced: { id: 9, ...place, side: 1, ticks: 8, lots: 7, clientOrderId: 'a-very-long-id-123' },
  orderModified: { id: 9, ...place, ticksBefore: 4, lotsBefore: 5, ticks: 8, lots: 7 },
  orderCut: { id: 9, ...place, lots: 7 },
  orderEnded: { order },
  traded: {
    id: 9,
    market: 2,
    tradeId: 77,
    ticks: 8,
    lots: 7,
    takerSide: -1,
    liquidation: false,
    taker: fill(30),
    maker: fill(50),
  },
  profitRealized: { id: 9, ...place, amount: 4, balance: 5 },
  lossCovered: { ...place, fund: 4, shared: 6, shortfall: 5 },
  fundingCovered: { ...place, amount: 4 },
  feesShared: { id: 9, market: 1, amount: 4, balance: 5 },
  triggerPlaced: { trigger },
  triggerResized: { id: 9, ...place, lots: 7 },
  triggerModified: { trigger },
  triggerFired: { id: 9, ...place, order: 10, mark: 11 },
  triggerTried: { id: 9, ...place, reason: 'marginInsufficient', work: 12 },
  triggerEnded: { trigger },
  liquidationFlagged: { ...place, flagged: true, equity: 5, maintenance: 6 },
  takenOver: {
    id: 9,
    market: 2,
    tradeId: 77,
    ticks: 8,
    lots: 7,
    side: 1,
    account: fill(30),
    fund: fill(50),
  },
  deleveraged: {
    cause: 'deleveraging',
    id: 9,
    market: 2,
    tradeId: 77,
    ticks: 8,
    mark: 6,
    lots: 7,
    side: 1,
    marginStatus: { equity: 75, maintenance: 76 },
    bankrupt: fill(30),
    counterparty: fill(50),
    rank: { unrealized: 71, notional: 72, entry: 73, equity: 74 },
  },
  profitShared: row,
  liquidationFeePaid: row,
  fundingSettled: { market: 2, boundary: 1_760_000_000_000, rate: -5, mark: 6 },
  fundingPaid: { ...row, boundary: 1_760_000_000_000, rate: -5, lots: 6 },
  positionSettled: { id: 9, ...place, lots: 4, pnl: -5, balance: 6 },
  marketSettled: { market: 2, ticks: 8 },
  insuranceCredited: { id: 9, amount: 4, balance: 5, reference: 'r' },
  withdrawalRequested: { id: 9, account: 3, amount: 4, balance: 5 },
  withdrawalResolved: { id: 9, account: 3, amount: 4, balance: 5, completed: true },
  marginModeSet: { account: 3, mode: 'isolated' },
  collateralTransferred: { ...place, delta: -4, collateral: 5 },
  feeTiersSet: {
    tiers: [
      { minVolume: 0, makerDiscount: 1, takerDiscount: 2 },
      { minVolume: 3, makerDiscount: 4, takerDiscount: 5 },
    ],
  },
  referralCodeSet: { account: 3, code: 'CODE7' },
  referralBound: { account: 3, referrer: 4 },
  referralAccrued: { ...place, referee: 4, amount: 5, day: 20_370, today: 6 },
  referralClaimed: { id: 9, account: 3, amount: 4, balance: 5 },
  referralTermsSet: { terms: { enabled: true, discount: 4, share: 5 } },
  indexRefused: { market: 2, ticks: 8 },
  breakerTripped: { market: 2, until: 1_760_000_000_000 },
  leverageSet: { ...place, leverage: 4 },
  countdownSet: { ...place, expiresAt: 1_760_000_000_000 },
  connectionArmed: { account: 1, connection: 7, markets: [2, 3] },
  connectionDisarmed: { account: 1, connection: 7 },
  connectionEnded: { account: 1, connection: 7 },
  disconnectApplied: { account: 1, market: 2, cancelled: 3, work: 4 },
  vaultBound: {
    binding: {
      address: '0xab',
      token: '0xcd',
      tokenDecimals: 6,
      codeHash: '0xef',
      deployBlock: 7,
    },
  },
  depositParked: { address: '0xab', index: 7, amount: 4 },
  withdrawalAdvanced: { id: 9, account: 3, state: 'sent' },
  withdrawalTermsSet: { min: 4, fee: 5 },
  marketListed: { market: 2, symbol: 'BTCUSDT', terms: streamTerms, status: 'TRADING' },
  marketChanged: { market: 2, terms: streamTerms, status: 'TRADING' },
  priced: { market: 2, index: 4, mark: 5 },
  apiKeyCreated: key,
  apiKeyUpdated: { ...key, status: 'active', rateTier: 'standard', profile: 'p' },
  apiKeyDeleted: key,
  rejected: { reason: 'marginInsufficient' },
};

const others: Record<string, string> = {
  origin: 'unwinding',
  route: 'order',
  cause: 'fund_reduction',
  mode: 'unified',
  timeInForce: 'FOK',
  selfTradeMode: 'EXPIRE_TAKER',
  selfTradePrevention: 'EXPIRE_TAKER',
  workingType: 'MARK_PRICE',
  cancelReason: 'MARGIN',
  rateTier: 'house',
  underlyingType: 'INDEX',
  state: 'queued',
};

const statusInstead: Record<string, string> = {
  orderEnded: 'FILLED',
  triggerPlaced: 'NEW',
  triggerModified: 'NEW',
  triggerEnded: 'EXPIRED',
  apiKeyUpdated: 'disabled',
};

function hashOf(event: object): string {
  const hash = createHash64();
  hashEvent(hash, event as Event);
  return hashHex(hash);
}

/** The values a field may take instead of `value`. */
function instead(name: string, value: unknown, event: string): unknown[] {
  if (name === 'side' || name === 'takerSide') return [-(value as number)];
  // These never have more than 32 bits, and are mixed two at a time.
  if (name === 'market' || name === 'leverage') return [(value as number) + 1];
  const paired = ['account', 'ticks', 'markAtCreation'];
  if (event === 'orderEnded' && paired.includes(name)) return [(value as number) + 1];
  if (event === 'takenOver' && name === 'ticks') return [(value as number) + 1];
  if (value === 0) return [1, -1, 2 ** 32];
  if (typeof value === 'number') return [value + 1, value - 1, -value, value + 2 ** 32];
  if (typeof value === 'boolean') return [!value];
  if (others[name] !== undefined) return [others[name]];
  if (name === 'type') return [event === 'orderEnded' ? 'MARKET' : 'STOP_MARKET'];
  if (name === 'status') return [statusInstead[event] ?? 'HALT'];
  const text = value as string;
  return [`${text}0`, text.slice(1), text.toUpperCase() === text ? 'lower' : text.toUpperCase()];
}

/** The event once for each changed field, with the field's path. */
function* variants(value: object, event: string, path: string): Generator<[string, object]> {
  for (const [name, field] of Object.entries(value)) {
    if (name === 'kind' || transient.has(name)) continue;
    const wrap = (changed: unknown): object =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    if (field === null) continue;
    if (typeof field === 'object') {
      for (const [inner, changed] of variants(field, event, `${path}.${name}`)) {
        yield [inner, wrap(changed)];
      }
      if (Array.isArray(field)) yield [`${path}.${name} shorter`, wrap(field.slice(1))];
    } else {
      for (const changed of instead(name, field, event)) yield [`${path}.${name}`, wrap(changed)];
    }
  }
}

test.each(Object.entries(samples))('%s: a change of any field changes the hash', (kind, fields) => {
  const event = { kind, ...fields };
  const seen = new Map([[hashOf(event), 'the sample']]);
  let count = 0;
  for (const [path, changed] of variants(event, kind, kind)) {
    const hash = hashOf(changed);
    expect(seen.get(hash), `${path} hashes as another`).toBeUndefined();
    seen.set(hash, path);
    count += 1;
  }
  expect(count).toBeGreaterThan(0);
  expect(hashOf(structuredClone(event))).toBe(hashOf(event));
});

test('events of different kinds, and in another order, hash differently', () => {
  const kinds = Object.entries(samples).map(([kind, fields]) => hashOf({ kind, ...fields }));
  expect(new Set(kinds).size).toBe(kinds.length);
  const hashBoth = (first: object, second: object): string => {
    const hash = createHash64();
    hashEvent(hash, first as Event);
    hashEvent(hash, second as Event);
    return hashHex(hash);
  };
  const priced = { kind: 'priced', ...samples.priced };
  const cut = { kind: 'orderCut', ...samples.orderCut };
  expect(hashBoth(priced, cut)).not.toBe(hashBoth(cut, priced));
});

/** The number with which an event begins, found again from the first step of its hash. */
function codeOf(event: object): number | undefined {
  const state = createHash64();
  let first: string | undefined;
  const watched = {
    get low() {
      return state.low;
    },
    set low(low) {
      state.low = low;
    },
    get high() {
      return state.high;
    },
    set high(high) {
      state.high = high;
      first ??= hashHex(state);
    },
  };
  hashEvent(watched, event as Event);
  for (let code = 0; code < 256; code += 1) {
    for (let second = 0; second < 32; second += 1) {
      const tried = createHash64();
      hashPair(tried, code, second);
      if (hashHex(tried) === first) return code;
    }
  }
  return undefined;
}

test('each kind of event begins with a number that no other has', () => {
  const kinds = new Map<number | undefined, string>();
  for (const [kind, fields] of Object.entries(samples)) {
    const code = codeOf({ kind, ...fields });
    expect(code, kind).toBeDefined();
    expect(kinds.get(code), `${kind} has the number of another kind`).toBeUndefined();
    kinds.set(code, kind);
  }
});

test('events of orders hash the number of the trigger, events of triggers hash all of it', () => {
  const hashes = [null, { ...trigger, id: 7 }, { ...trigger, id: 2 ** 40 }].map((from) =>
    hashOf({ kind: 'orderEnded', order: { ...order, trigger: from } }),
  );
  expect(new Set(hashes).size).toBe(3);
  const reported = { kind: 'orderEnded', order: { ...order, trigger } };
  const later = { ...trigger, updatedAt: 99 };
  expect(hashOf({ ...reported, order: { ...order, trigger: later } })).toBe(hashOf(reported));
});

test('a flagged position and a flagged account hash differently', () => {
  const whole = { kind: 'liquidationFlagged', ...samples.liquidationFlagged, market: undefined };
  expect(hashOf(whole)).not.toBe(hashOf({ ...whole, market: 0 }));
});

test('transient fields of an order do not count', () => {
  const event = { kind: 'orderEnded', order: { ...order, epoch: 9 } };
  expect(hashOf(event)).toBe(hashOf({ kind: 'orderEnded', order }));
});
