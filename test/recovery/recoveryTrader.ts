// One account of the recovery campaign: logs in, makes keys, places, amends and cancels orders and
// triggers, withdraws, and remembers the answers that it received. Its requests may end without an
// answer; it then reports that.

import assert from 'node:assert/strict';
import type { ApiError } from '../../src/client/apiError.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { must } from '../../src/std/assert.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { createWallet } from '../identity/wallet.ts';
import { type Answer, answered } from './answered.ts';
import { checkTrading, findOrder, markets, type TradingClaims } from './checkTrading.ts';
import {
  brokenBy,
  createClaim,
  isFinal,
  learn,
  type OrderClaim,
  type SeenOrder,
} from './orderClaim.ts';
import { createWithdrawalClaims, type WithdrawalClaims } from './withdrawalClaims.ts';

type Key = { readonly id: string; readonly apiKey: string; readonly secretKey: string };

/** Where a request goes. Each is read anew for each request, so it may be one of several. */
export type Reached = Pick<RunningServer, 'http' | 'operatorUrl' | 'operator'> & {
  /** By default the platform's, which waits as long as the connection lives. */
  readonly fetch?: typeof fetch;
};

export type RecoveryTrader = {
  /** Connects to the server as it now runs. */
  readonly connect: (server: Reached) => void;
  readonly login: () => Promise<void>;
  /** Sends one request of a random kind; true when it was answered, whatever the answer. */
  readonly act: () => Promise<boolean>;
  /** Reads one order that an answer has named: what it finds may not be older. */
  readonly look: () => Promise<void>;
  /** Compares every answer that it received with the present answers of the exchange. */
  readonly check: () => Promise<void>;
  /** Answers that were not refusals, orders that were filled, and those that fired, so far. */
  readonly counts: () => Pick<Trader, 'acknowledged' | 'filled' | 'fired'>;
};

const widthTicks = 40;
/** Keys beyond the first, at most. */
const spareKeysMax = 6;

type Trader = TradingClaims & {
  readonly prng: Prng;
  readonly wallet: ReturnType<typeof createWallet>;
  server: Reached | undefined;
  token: string;
  /** The first one signs the orders. */
  readonly keys: Key[];
  readonly deletedKeys: Set<string>;
  /** Keys whose making was not answered, and which no list has shown. */
  keysUncertain: number;
  readonly deletionAsked: Set<string>;
  /** USDT by reference, and whether the answer came. */
  readonly credits: Map<string, { readonly amount: number; answered: boolean }>;
  readonly withdrawals: WithdrawalClaims;
  orders: number;
  acknowledged: number;
};

export const acknowledgedBy = (traders: readonly RecoveryTrader[]): number =>
  traders.reduce((sum, trader) => sum + trader.counts().acknowledged, 0);

export function createRecoveryTrader(number: number, prng: Prng): RecoveryTrader {
  const trader: Trader = {
    name: `trader-${number}`,
    prng,
    wallet: createWallet(0xabc0 + number),
    server: undefined,
    token: '',
    keys: [],
    deletedKeys: new Set(),
    keysUncertain: 0,
    deletionAsked: new Set(),
    claims: new Map(),
    unanswered: new Set(),
    settled: new Map(),
    credits: new Map(),
    withdrawals: createWithdrawalClaims(`trader-${number}`, prng),
    orders: 0,
    acknowledged: 0,
    filled: 0,
    fired: 0,
  };
  return {
    connect: (server) => {
      trader.server = server;
    },
    login: () => login(trader),
    act: () => act(trader),
    look: () => look(trader),
    check: async () => {
      await checkCredits(trader);
      await trader.withdrawals.check(clientsOf(trader));
      await checkKeys(trader);
      await checkTrading(trader, () => clientOf(trader));
    },
    counts: () => {
      const { acknowledged, filled, fired } = trader;
      return { acknowledged, filled, fired };
    },
  };
}

function clientOf(trader: Trader, key: Key | undefined = trader.keys[0]): Client {
  const { http, operatorUrl, fetch: send = fetch } = must(trader.server, 'a trader is connected');
  const { token } = trader;
  return createClient({ baseUrl: http, operatorUrl, token, fetch: send, ...key });
}

function clientsOf(trader: Trader): Pick<Client, 'native' | 'operator'> {
  const { operator } = must(trader.server, 'a trader is connected');
  return { native: clientOf(trader).native, operator };
}

async function login(trader: Trader): Promise<void> {
  const { address, sign } = trader.wallet;
  const { native } = clientOf(trader, undefined);
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  trader.token = token;
  await credit(trader, 1_000_000);
  if ((await makeKey(trader)) !== 'yes') throw new Error(`${trader.name} has no key yet`);
}

async function act(trader: Trader): Promise<boolean> {
  const draw = trader.prng.below(100);
  const open = [...trader.claims.values()].filter(
    ({ state, seen, modifyAsked }) =>
      state === 'known' && seen !== undefined && !isFinal(seen) && modifyAsked === undefined,
  );
  const target = open[trader.prng.below(Math.max(1, open.length))];
  let result: Answer;
  if (draw < 3) result = await credit(trader, 1 + trader.prng.below(1000));
  else if (draw < 5) result = await changeKeys(trader);
  else if (draw < 8) result = await trader.withdrawals.act(clientsOf(trader), answered);
  else if (draw < 25 && target !== undefined) result = await cancel(trader, target);
  else if (draw < 35 && target !== undefined) result = await modify(trader, target);
  else result = await place(trader);
  if (result === 'yes') trader.acknowledged += 1;
  return result !== 'no';
}

async function credit(trader: Trader, amount: number): Promise<Answer> {
  const reference = `${trader.name}-${trader.credits.size}`;
  const entry = { amount, answered: false };
  trader.credits.set(reference, entry);
  const result = await answered(() => sendCredit(trader, reference, amount));
  assert.notEqual(result, 'refused', `${trader.name}: a credit was refused`);
  entry.answered = result === 'yes';
  return result;
}

function sendCredit(trader: Trader, reference: string, amount: number): Promise<unknown> {
  const { operator } = must(trader.server, 'a trader is connected');
  return operator.creditAccount({
    address: trader.wallet.address,
    amount: String(amount),
    reference,
  });
}

function changeKeys(trader: Trader): Promise<Answer> {
  const spare = trader.keys.slice(1).find(({ id }) => !trader.deletionAsked.has(id));
  if (spare === undefined || (trader.keys.length <= spareKeysMax && trader.prng.below(2) === 0)) {
    return makeKey(trader);
  }
  return deleteKey(trader, spare);
}

async function makeKey(trader: Trader): Promise<Answer> {
  trader.keysUncertain += 1;
  const result = await answered(async () => {
    const key = await clientOf(trader).native.createApiKey({ label: trader.name });
    trader.keys.push({ id: key.id, apiKey: key.api_key, secretKey: key.secret_key });
  });
  if (result !== 'no') trader.keysUncertain -= 1;
  return result;
}

async function deleteKey(trader: Trader, key: Key): Promise<Answer> {
  trader.deletionAsked.add(key.id);
  const result = await answered(() => clientOf(trader).native.deleteApiKey({ id: key.id }));
  if (result === 'yes') {
    trader.deletedKeys.add(key.id);
    trader.keys.splice(trader.keys.indexOf(key), 1);
  }
  return result;
}

async function place(trader: Trader): Promise<Answer> {
  const { prng } = trader;
  const market = markets[prng.below(markets.length)]!;
  trader.orders += 1;
  const clientOrderId = `${trader.name}-${trader.orders}`;
  const side = prng.below(2) === 0 ? 'BUY' : 'SELL';
  const claim = createClaim({ clientOrderId, symbol: market.symbol, side });
  trader.claims.set(clientOrderId, claim);
  const quantity = (1 + prng.below(market.lots)) * market.lot;
  const price = market.mid + (prng.below(2 * widthTicks) - widthTicks) * market.tick;
  const terms = orderTerms(prng.below(12), price.toFixed(market.digits));
  const result = await answered(async () => {
    const answer = await clientOf(trader).fapi.placeOrder({
      symbol: market.symbol,
      side,
      quantity: quantity.toFixed(3),
      newClientOrderId: clientOrderId,
      ...terms,
    } as never);
    learn(claim, answer as SeenOrder);
  });
  if (result === 'refused' || result === 'waits') claim.state = 'refused';
  return result;
}

/** Of twelve orders two are triggers, one is a MARKET order, the others are LIMIT orders. */
function orderTerms(draw: number, price: string): object {
  if (draw === 0) return { type: 'STOP_MARKET', stopPrice: price };
  if (draw === 1) return { type: 'TAKE_PROFIT_MARKET', stopPrice: price };
  return draw === 2 ? { type: 'MARKET' } : { type: 'LIMIT', price, timeInForce: 'GTC' };
}

async function cancel(trader: Trader, claim: OrderClaim): Promise<Answer> {
  const { symbol, clientOrderId } = claim;
  return answered(async () => {
    const request = { symbol, origClientOrderId: clientOrderId };
    const answer = await clientOf(trader).fapi.cancelOrder(request as never);
    learn(claim, answer as SeenOrder);
  });
}

async function modify(trader: Trader, claim: OrderClaim): Promise<Answer> {
  const { symbol, clientOrderId, side, seen } = claim;
  const market = must(
    markets.find((candidate) => candidate.symbol === symbol),
    'a claim is on a market',
  );
  const price = (
    market.mid +
    (trader.prng.below(2 * widthTicks) - widthTicks) * market.tick
  ).toFixed(market.digits);
  const lots = (1 + trader.prng.below(market.lots)) * market.lot;
  // A quantity equal to what is filled ends the order (ORD-5).
  const filled = Number(seen?.executedQty ?? 0);
  const ends = filled > 0 && trader.prng.below(4) === 0;
  const origQty = (ends ? filled : lots).toFixed(3);
  claim.modifyAsked = { price, origQty };
  const result = await answered(async () => {
    const request = { symbol, origClientOrderId: clientOrderId, side, price, quantity: origQty };
    const answer = await clientOf(trader).fapi.modifyOrder(request as never);
    learn(claim, answer as SeenOrder);
  });
  if (result !== 'no') claim.modifyAsked = undefined;
  return result;
}

/** A credit without an answer is sent again: once per reference is once, whatever happened. */
async function checkCredits(trader: Trader): Promise<void> {
  for (const [reference, entry] of trader.credits) {
    if (!entry.answered) await sendCredit(trader, reference, entry.amount);
    entry.answered = true;
  }
}

async function checkKeys(trader: Trader): Promise<void> {
  const listed = await clientOf(trader).native.listApiKeys();
  const ids = new Set(listed.map(({ id }) => id));
  for (const key of [...trader.keys]) {
    const may = trader.deletionAsked.has(key.id);
    assert(ids.has(key.id) || may, `${trader.name}: key ${key.id} is gone`);
    if (!ids.has(key.id)) trader.keys.splice(trader.keys.indexOf(key), 1);
  }
  for (const id of trader.deletedKeys) {
    assert(!ids.has(id), `${trader.name}: deleted key ${id} is back`);
  }
  const extra = listed.length - trader.keys.length;
  assert(extra <= trader.keysUncertain, `${trader.name}: ${extra} keys that it did not ask for`);
  trader.keysUncertain -= extra;
  // Keys whose secret was lost are deleted, so that the account never reaches its bound. A deletion
  // without an answer is asked for again.
  const own = new Set(trader.keys.map(({ id }) => id));
  for (const { id } of listed) {
    if (own.has(id) && !trader.deletionAsked.has(id)) continue;
    await clientOf(trader).native.deleteApiKey({ id }).catch(unlessUnknown);
    trader.deletedKeys.add(id);
  }
  trader.keys.splice(0, Infinity, ...trader.keys.filter(({ id }) => !trader.deletedKeys.has(id)));
  for (const key of trader.keys) await clientOf(trader, key).fapi.getBalanceV2();
}

/** The deletion without an answer came after the list was read. */
function unlessUnknown(error: ApiError): void {
  if (error.status !== 404) throw error;
}

/** A read that begins after an answer shows what that answer said, or what came later. */
async function look(trader: Trader): Promise<void> {
  const known = [...trader.claims.values()].filter(
    ({ state, modifyAsked }) => state === 'known' && modifyAsked === undefined,
  );
  const claim = known[trader.prng.below(Math.max(1, known.length))];
  if (claim === undefined) return;
  const { seen, symbol, clientOrderId } = claim;
  let found: SeenOrder | undefined;
  const result = await answered(async () => {
    const request = { symbol, origClientOrderId: clientOrderId };
    found = await findOrder(clientOf(trader), request);
  });
  // Other requests about it may have been under way.
  if (result !== 'yes' || claim.seen !== seen || claim.modifyAsked !== undefined) return;
  const broken = brokenBy({ ...claim, seen }, found);
  assert.equal(broken, undefined, `${trader.name}: ${clientOrderId}, read: ${broken}`);
}
