// Whether what an account knows of its orders is true, and whether its positions are the sum of
// what was executed.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../src/client/apiError.ts';
import type { Client } from '../../src/client/client.ts';
import { must } from '../../src/std/assert.ts';
import { brokenBy, isFinal, learn, type OrderClaim, type SeenOrder } from './orderClaim.ts';

export const markets = [
  { symbol: 'BTCUSDT', mid: 100_000, tick: 0.1, lot: 0.001, digits: 1, lots: 20 },
  { symbol: 'ETHUSDT', mid: 4_000, tick: 0.01, lot: 0.01, digits: 2, lots: 50 },
] as const;

export type TradingClaims = {
  readonly name: string;
  readonly claims: Map<string, OrderClaim>;
  /** Claims with a request that had no answer at the last check, and no effect by then. */
  unanswered: ReadonlySet<OrderClaim>;
  /** Lots executed by orders that are no longer among the claims, buys less sells. */
  readonly settled: Map<string, number>;
  filled: number;
  /** Filled orders that came of triggers. */
  fired: number;
};

/** Orders and positions must agree in that time after the load. */
const [agreeMs, agreeAgainMs] = [60_000, 200];

/**
 * Compares all orders, then all positions. A request that its client has given up may still be
 * executed between the two, and fill an order of this account; so both are read until they agree.
 */
export async function checkTrading(trading: TradingClaims, client: () => Client): Promise<void> {
  const deadline = performance.now() + agreeMs;
  for (;;) {
    await checkOrders(trading, client);
    const wrong = await wrongPosition(trading, client);
    if (wrong === undefined) break;
    assert(performance.now() < deadline, wrong);
    await sleep(agreeAgainMs);
  }
  forgetUnanswered(trading);
}

/** A request without an answer may come late, but not as late as the second check after it. */
function forgetUnanswered(trading: TradingClaims): void {
  const isUnanswered = ({ state, modifyAsked }: OrderClaim): boolean =>
    state !== 'known' || modifyAsked !== undefined;
  const waiting = [...trading.claims.values()].filter(isUnanswered);
  for (const claim of waiting) {
    if (!trading.unanswered.has(claim)) continue;
    claim.modifyAsked = undefined;
    if (claim.state !== 'known') trading.claims.delete(claim.clientOrderId);
  }
  trading.unanswered = new Set(waiting);
}

async function checkOrders(trading: TradingClaims, client: () => Client): Promise<void> {
  for (const claim of trading.claims.values()) {
    const { symbol, clientOrderId } = claim;
    const asked = { symbol, origClientOrderId: clientOrderId };
    const ask = (): Promise<SeenOrder | undefined> =>
      findOrder(client(), asked).catch((error: ApiError) => {
        // History is behind on a slow machine (HIST-3).
        if (error.code === -1007) return ask();
        throw error;
      });
    const found = await ask();
    const broken = brokenBy(claim, found);
    assert.equal(broken, undefined, `${trading.name}: ${clientOrderId}: ${broken}`);
    if (found === undefined) continue;
    learn(claim, found);
    if (isFinal(found)) settle(trading, claim, found);
  }
}

function signedLots({ side, symbol }: OrderClaim, executed: string): number {
  const { lot } = must(
    markets.find((market) => market.symbol === symbol),
    'a claim is on a market',
  );
  const lots = Math.round(Number(executed) / lot);
  return side === 'BUY' ? lots : -lots;
}

function settle(trading: TradingClaims, claim: OrderClaim, found: SeenOrder): void {
  const { executedQty, origType, type } = found;
  const { symbol, clientOrderId } = claim;
  const before = trading.settled.get(symbol) ?? 0;
  trading.settled.set(symbol, before + signedLots(claim, executedQty));
  trading.claims.delete(clientOrderId);
  if (Number(executedQty) === 0) return;
  trading.filled += 1;
  if (origType !== type) trading.fired += 1;
}

/**
 * Every fill is in the position and no other is: the position is the sum of what was executed.
 * Gives the sentence about the first that is not.
 */
async function wrongPosition(
  trading: TradingClaims,
  client: () => Client,
): Promise<string | undefined> {
  const rows = await client().fapi.getPositionRiskV2({} as never);
  for (const { symbol, lot } of markets) {
    let expected = trading.settled.get(symbol) ?? 0;
    for (const claim of trading.claims.values()) {
      if (claim.symbol === symbol && claim.seen !== undefined) {
        expected += signedLots(claim, claim.seen.executedQty);
      }
    }
    const row = (rows as readonly { symbol: string; positionAmt: string }[]).find(
      (candidate) => candidate.symbol === symbol,
    );
    const held = Math.round(Number(row?.positionAmt ?? 0) / lot);
    if (held === expected) continue;
    return `${trading.name}: position in ${symbol}: ${held} lots, and its orders have ${expected}`;
  }
  return undefined;
}

type Asked = { readonly symbol: string; readonly origClientOrderId: string };

/** undefined: the exchange says that there is none. */
export async function findOrder({ fapi }: Client, asked: Asked): Promise<SeenOrder | undefined> {
  try {
    return (await fapi.getOrder(asked as never)) as SeenOrder;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== -2013) throw error;
    return undefined;
  }
}
