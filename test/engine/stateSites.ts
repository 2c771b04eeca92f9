// Every single place of a state that holds a value, found by walking through the state itself. So a
// new field is found too: hashes and snapshots must not forget any.

import { isBlankShare } from '../../src/engine/clearing/accrueFunding.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { marginModes } from '../../src/engine/marginModes.ts';
import type { FundingShare } from '../../src/engine/market.ts';
import type { Position } from '../../src/engine/position.ts';
import { isBlankPosition } from '../../src/engine/snapshot/isBlankPosition.ts';
import type { Trigger } from '../../src/engine/trigger.ts';
import { triggerRoutes, triggerTypes } from '../../src/engine/triggerTypes.ts';
import { withdrawalStates } from '../../src/engine/vaultLedger.ts';
import { directValues } from '../../src/std/directMap.ts';
import type { AccountId, MarketId, Time } from '../../src/units/units.ts';
import { runStream } from './commandStream.ts';
import { bindVaultCommand } from './depositChain.ts';

/**
 * Fields that are not state: links, tentative executions, and fields that are blank between
 * commands.
 */
const transient = new Set([
  ...['epoch', 'level', 'previous', 'next', 'position', 'older', 'newer'],
  ...['check', 'undo', 'ended', 'events', 'taker', 'committed', 'flattened', 'work'],
  ...['attachments', 'life', 'stirred', 'shrunk', 'drafted'],
  // Found again from the records themselves, never different from them.
  ...['byId', 'counts', 'slot', 'guestSlot', 'place', 'funded', 'unfunded', 'unfundedWithKeys'],
  ...['referees', 'referralCodes', 'armedConnections'],
  ...['accountByAddress', 'marketBySymbol', 'bids', 'asks', 'before'],
  ...['rising', 'falling', 'buying', 'selling', 'block', 'waves'],
  ...['dirty', 'risk', 'held', 'liquidationSide', 'liquidationKey'],
]);

export type Site = {
  readonly path: string;
  /** The path with places of lists and keys of maps left open. */
  readonly shape: string;
  /** Gives the place another value that its kind may have. */
  readonly change: () => void;
  readonly undo: () => void;
};

type Place = Pick<Site, 'path' | 'shape'>;

/** Every number, text, flag and total of the state. */
export function* sitesOfExchange(exchange: Exchange): Generator<Site> {
  const fields = exchange as unknown as Record<string, unknown>;
  for (const name of Object.keys(exchange)) {
    if (transient.has(name)) continue;
    yield* sitesOfField(fields, name, { path: name, shape: name }, new Set());
  }
}

function* sitesOf(record: object, place: Place, seen: Set<object>): Generator<Site> {
  if (seen.has(record)) return;
  if ('countdown' in record && isBlankPosition(record as Position)) return;
  if ('accrued' in record && isBlankShare(record as FundingShare)) return;
  seen.add(record);
  const within = (name: string, listed: boolean): Place => ({
    path: `${place.path}.${name}`,
    shape: `${place.shape}.${listed ? '*' : name}`,
  });
  if (record instanceof Map) {
    for (const [key, value] of record) {
      if (typeof value === 'object') yield* sitesOf(value, within(String(key), true), seen);
      else {
        const undo = () => record.set(key, value);
        yield {
          ...within(key, true),
          change: () => record.set(key, changed(String(key), value)),
          undo,
        };
      }
    }
    return;
  }
  if ('places' in record && 'others' in record) {
    // Its places are no state.
    for (const order of directValues(record as Exchange['orders'])) {
      yield* sitesOf(order, within(String(order.id), true), seen);
    }
    return;
  }
  for (const name of Object.keys(record)) {
    const listed = Array.isArray(record);
    if (transient.has(name) && !listed) continue;
    yield* sitesOfField(record as Record<string, unknown>, name, within(name, listed), seen);
  }
}

function* sitesOfField(
  fields: Record<string, unknown>,
  name: string,
  place: Place,
  seen: Set<object>,
): Generator<Site> {
  // An active trailing trigger has the extreme of its group.
  const { block } = fields as Partial<Trigger>;
  if (name === 'extreme' && block) fields = block.run.group as unknown as typeof fields;
  const value = fields[name];
  if (typeof value === 'object' && value !== null) yield* sitesOf(value, place, seen);
  else if (value !== undefined && value !== null && typeof value !== 'function') {
    const undo = () => {
      fields[name] = value;
    };
    const change = () => {
      fields[name] = changed(name, value);
    };
    yield { ...place, change, undo };
  }
}

/** Values that may replace each other, by field. */
const others: Record<string, readonly (readonly string[])[]> = {
  type: [['LIMIT', 'MARKET'], triggerTypes],
  timeInForce: [['GTC', 'IOC', 'FOK', 'GTX']],
  selfTradeMode: [['NONE', 'EXPIRE_BOTH', 'EXPIRE_MAKER', 'EXPIRE_TAKER']],
  selfTradePrevention: [['NONE', 'EXPIRE_BOTH', 'EXPIRE_MAKER']],
  workingType: [['CONTRACT_PRICE', 'MARK_PRICE']],
  cancelReason: [['NONE', 'USER']],
  rateTier: [['standard', 'house']],
  underlyingType: [['COIN', 'INDEX']],
  origin: [['account', 'liquidation']],
  marginMode: [marginModes],
  route: [triggerRoutes],
  kind: [
    ['countdown', 'nonce', 'maintenance', 'funding', 'delivery', 'goodTill'],
    // Of idempotency keys and of pairs.
    ['order', 'trigger'],
    ['withdrawal', 'order'],
    ['position', 'order'],
  ],
  status: [
    ['TRADING', 'HALT', 'CLOSE'],
    ['active', 'disabled'],
    // Of orders and of triggers.
    ['NEW', 'CANCELED'],
    ['PARTIALLY_FILLED', 'FILLED'],
    ['TRIGGERED', 'FINISHED'],
    ['PENDING', 'EXPIRED'],
  ],
  state: [withdrawalStates],
};

function changed(name: string, value: unknown): unknown {
  if (typeof value === 'number') return name === 'side' ? -value : value + 1;
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  const text = value as string;
  const list = others[name]?.find((values) => values.includes(text));
  if (list === undefined) return `${text}'`;
  return list[(list.indexOf(text) + 1) % list.length];
}

const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
const richVault = {
  binding: { ...binding },
  depositCount: 3,
  depositTotal: 9n,
  parked: [['0xab', 7n]],
  paid: [[1 as AccountId, 5n]],
} as const;

/**
 * A state in which every list has something: streams are tried until one comes near, and what only
 * days bring is put in by hand.
 */
export function richExchange(): Exchange {
  for (let seed = 1; seed < 200; seed += 1) {
    const exchange = runStream(seed, 400);
    const { triggers, withdrawals, apiKeys, nonces, orders } = exchange;
    const kinds = new Set([...triggers.values()].map(({ type }) => type));
    const keyed = apiKeys.size > 0 && nonces.size > 0 && withdrawals.size > 0;
    const waiting =
      triggers.size > 4 && exchange.pairs.size > 1 && kinds.has('TRAILING_STOP_MARKET');
    const modified = [...triggers.values()].some(({ id, priority }) => priority > id);
    const remembered = liveAccounts(exchange).some(({ idempotency }) => idempotency.size > 1);
    const accrued = liveAccounts(exchange).some(({ referral }) => (referral?.accrued ?? 0) > 0);
    if (!keyed || !waiting || !modified || !remembered || orders.size < 10) continue;
    if (!accrued) continue;
    const { armed, queue } = exchange.connections;
    if (![...armed.values()].some(({ markets }) => markets.length > 0)) continue;
    queue.push({ account: 1 as AccountId, markets: [1 as MarketId], sequence: 7, done: 0 });
    // A share without money says nothing that the state has not without it.
    for (const { shares } of exchange.markets) {
      for (const [id, { accrued: money, due, sum }] of shares) {
        if (money === 0n && due === 0n && sum === 0) shares.delete(id);
      }
    }
    Object.assign(exchange.vault, {
      ...richVault,
      parked: new Map(richVault.parked),
      paid: new Map(richVault.paid),
    });
    Object.assign(exchange.markets[0]!.prices, { pending: [{ ticks: 5, at: 6 }] });
    Object.assign(exchange.accounts[1]!.volume, { past: Array.from({ length: 14 }, () => 7) });
    const tier = { minVolume: 9, makerDiscount: 10, takerDiscount: 11 };
    exchange.guests.vacancies.items.push({
      id: exchange.accounts.length as AccountId,
      since: 12 as Time,
    });
    exchange.accounts.push(undefined);
    Object.assign(exchange, { feeTiers: [...exchange.feeTiers.slice(0, 1), tier] });
    return exchange;
  }
  throw new Error('no stream leads to a rich state');
}

/** Lists that a rich state fills; a test that says it looked everywhere has looked into each. */
export const richLists = [
  'accounts.*.positions.*.lots',
  'accounts.*.idempotency.*.kind',
  'accounts.*.apiKeys.*.status',
  'accounts.*.clientOrderIds.*',
  'accounts.*.triggers.*.extreme',
  'accounts.*.volume.past.*',
  'pairs.*.lots',
  'pairs.*.legs.stopLoss',
  'markets.*.terms.indexSources.*.weight',
  'markets.*.prices.sources.*.takenAt',
  'markets.*.prices.pending.*.at',
  'markets.*.prices.marks.*.low',
  'markets.*.indexMinutes.*.sum',
  'orders.*.uncovered',
  'credits.*.amount',
  'withdrawals.*.amount',
  'feeTiers.*.takerDiscount',
  'fundPeaks.*.equity',
  'nonces.*',
  'accounts.*.guestSince',
  'accounts.*.referral.accrued',
  'guests.vacancies.items.*.since',
  'timers.items.*.kind',
  'connections.armed.*.markets.*',
  'connections.queue.*.done',
  'vault.binding.deployBlock',
  'vault.parked.*',
  'vault.paid.*',
  'withdrawals.*.state',
];
