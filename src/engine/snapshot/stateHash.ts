// The two hashes that compare states. stateHash covers what commands decide (accounts, positions,
// orders, triggers, market parameters and figures, funds, keys). priceHash covers the effects of
// time and prices (clock, timers, nonces, prices and their ages, the fund's peaks). A rejection
// changes no stateHash. Both are canonical: the order of maps counts only where it is state.
// Transient fields never count, nor does data that is rebuilt from the records (waiting triggers by
// price, the liquidation index).

import {
  createHash64,
  type Hash,
  hashHex,
  hashNumber,
  hashPair,
  hashText,
} from '../../std/hash.ts';
import { type OrderId, rateOne } from '../../units/units.ts';
import type { Account, ApiKey, Idempotency, Volume } from '../account.ts';
import type { Ladder } from '../book/ladder.ts';
import { sharesOf } from '../clearing/accrueFunding.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
import { hashFeeTiers } from '../codec/feeTiersCodec.ts';
import { hashMarketTerms } from '../codec/marketTermsCodec.ts';
import { hashReferralTerms } from '../codec/referralTerms.ts';
import type { Exchange, Funds } from '../exchange.ts';
import { apiKeyStatuses, marginModes, rateTiers } from '../marginModes.ts';
import type { Market, MarketFigures, MarketPrices } from '../market.ts';
import { marketStatuses } from '../marketTerms.ts';
import type { Order } from '../order.ts';
import { type Pair, pairKinds } from '../pair.ts';
import type { Position } from '../position.ts';
import type { Referral } from '../referral.ts';
import { type DueQueue, newItems, placedItems, queuesInOrder } from '../triggers/dueQueue.ts';
import { triedItems } from '../triggers/triedTriggers.ts';
import { withdrawalStates } from '../vaultLedger.ts';
import { hashConnections } from './encodeArmed.ts';
import { hashVault } from './encodeVault.ts';
import { isBlankPosition } from './isBlankPosition.ts';
import { hashLegs, hashOrder } from './orderHash.ts';
import { idempotencyKinds } from './snapshotAccounts.ts';
import { timerKinds } from './snapshotLists.ts';
import { hashTrigger } from './triggerHash.ts';

/** Sixteen hex digits. Cost: one pass over the state. */
export function stateHash(exchange: Exchange): string {
  const hash = createHash64();
  hashNumber(hash, exchange.chainId);
  hashNumber(hash, exchange.sequence);
  hashFunds(hash, exchange.funds);
  hashNumber(hash, exchange.accounts.length);
  for (const account of exchange.accounts) {
    if (account === undefined) hashPair(hash, -1, -2);
    else hashAccount(hash, account);
  }
  hashNumber(hash, exchange.guests.numbersKept);
  hashUnordered(hash, exchange.guests.vacancies.items, (item, { id, since }) => {
    hashNumber(item, id);
    hashNumber(item, since);
  });
  hashNumber(hash, exchange.markets.length);
  for (const market of exchange.markets) hashMarket(hash, market);
  hashNumber(hash, exchange.orders.size);
  hashNumber(hash, exchange.triggers.size);
  for (const trigger of exchange.triggers.values()) hashTrigger(hash, trigger);
  hashNumber(hash, exchange.pairs.size);
  for (const pair of exchange.pairs.values()) hashAttached(hash, pair);
  for (const queue of queuesInOrder(exchange.due)) hashDue(hash, queue);
  const tried = triedItems(exchange.due.tried);
  hashNumber(hash, tried.length);
  for (const { id } of tried) hashNumber(hash, id);
  hashNumber(hash, exchange.expiring.length);
  for (const { market, account } of exchange.expiring) hashPair(hash, market, account);
  hashConnections(hash, exchange.connections);
  hashNumber(hash, exchange.withdrawals.size);
  for (const { id, account, amount, createdAt, fee, state } of exchange.withdrawals.values()) {
    hashNumber(hash, id);
    hashPair(hash, account, enumerationIndex(withdrawalStates, state));
    for (const number of [amount, createdAt, fee]) hashNumber(hash, number);
  }
  hashVault(hash, exchange.vault);
  hashFeeTiers(hash, exchange.feeTiers);
  hashReferralTerms(hash, exchange.referralTerms);
  hashUnordered(hash, exchange.apiKeys, (item, [apiKey, key]) => {
    hashText(item, apiKey);
    hashNumber(item, key.id);
  });
  hashUnordered(hash, exchange.credits, (item, [reference, credit]) => {
    hashText(item, reference);
    hashNumber(item, credit.account);
    hashNumber(item, credit.amount);
  });
  return hashHex(hash);
}

function hashAttached(hash: Hash, { name, account, market, side, legs, lots }: Pair): void {
  hashNumber(hash, name.id);
  hashNumber(hash, name.createdAt);
  hashPair(hash, account, enumerationIndex(pairKinds, name.kind));
  hashPair(hash, market, side);
  hashLegs(hash, legs);
  hashNumber(hash, lots);
}

function hashDue(hash: Hash, queue: DueQueue): void {
  const placed = placedItems(queue);
  const due = newItems(queue);
  hashNumber(hash, queue.round);
  hashUnordered(hash, queue.places, (item, [account, round]) => {
    hashNumber(item, account);
    hashNumber(item, round);
  });
  hashNumber(hash, placed.length);
  for (const { trigger, round } of placed) {
    hashNumber(hash, trigger.id);
    hashNumber(hash, round);
  }
  hashNumber(hash, due.length);
  for (const { id } of due) hashNumber(hash, id);
}

/** Sixteen hex digits. Cost: one pass over markets, nonces and timers. */
export function priceHash(exchange: Exchange): string {
  const hash = createHash64();
  hashNumber(hash, exchange.time);
  hashNumber(hash, exchange.markets.length);
  for (const market of exchange.markets) {
    hashPrices(hash, market.prices);
    hashNumber(hash, market.indexMinutes.length);
    for (const { minute, sum, ms } of market.indexMinutes) {
      hashNumber(hash, minute);
      hashNumber(hash, sum);
      hashNumber(hash, ms);
    }
    // What becomes due by time alone belongs to the clock.
    hashNumber(hash, market.dues.funding);
    hashNumber(hash, market.dues.fundingSum);
    hashNumber(hash, market.dues.fundingMs);
    hashNumber(hash, market.dues.fundingFrom);
    hashNumber(hash, market.dues.fundingEnd);
    hashNumber(hash, market.dues.fundingTimer);
    hashPair(hash, market.dues.delivery ? 1 : 0, 0);
    hashNumber(hash, market.dues.deliveryTimer);
  }
  hashNumber(hash, exchange.fundPeaks.length);
  for (const { slot, equity } of exchange.fundPeaks) {
    hashNumber(hash, slot);
    hashNumber(hash, equity);
  }
  hashUnordered(hash, exchange.nonces, (item, [nonce, expiresAt]) => {
    hashText(item, nonce);
    hashNumber(item, expiresAt);
  });
  hashUnordered(hash, exchange.timers.items, (item, timer) => {
    hashNumber(item, timer.time);
    hashNumber(item, timer.id);
    hashPair(item, enumerationIndex(timerKinds, timer.kind), timer.market);
    hashNumber(item, timer.account);
    hashText(item, timer.nonce);
  });
  return hashHex(hash);
}

function hashPrices(hash: Hash, prices: MarketPrices): void {
  hashNumber(hash, prices.index);
  hashNumber(hash, prices.mark);
  hashNumber(hash, prices.premium);
  hashNumber(hash, prices.premiumAt);
  hashNumber(hash, prices.indexAt);
  hashNumber(hash, prices.breakerUntil);
  hashNumber(hash, prices.sources.length);
  for (const { source, ticks, observedAt, takenAt } of prices.sources) {
    hashText(hash, source);
    hashNumber(hash, ticks);
    hashNumber(hash, observedAt);
    hashNumber(hash, takenAt);
  }
  hashNumber(hash, prices.pending.length);
  for (const { ticks, at } of prices.pending) {
    hashNumber(hash, ticks);
    hashNumber(hash, at);
  }
  hashNumber(hash, prices.marks.length);
  for (const { second, low, high } of prices.marks) {
    hashNumber(hash, second);
    hashNumber(hash, low);
    hashNumber(hash, high);
  }
}

// Items whose order is not state: each is hashed alone and the hashes are added, so that large
// collections need no sorting.
function hashUnordered<T>(
  hash: Hash,
  items: Iterable<T>,
  hashItem: (hash: Hash, item: T) => void,
): void {
  let count = 0;
  let high = 0;
  let low = 0;
  for (const item of items) {
    const single = createHash64();
    hashItem(single, item);
    hashPair(single, 0, 0);
    hashPair(single, 0, 0);
    high = (high + single.high) | 0;
    low = (low + single.low) | 0;
    count += 1;
  }
  hashNumber(hash, count);
  hashPair(hash, low, high);
}

function hashFunds(hash: Hash, funds: Funds): void {
  hashNumber(hash, funds.feeRevenue);
  hashNumber(hash, funds.referralPayable);
  hashNumber(hash, funds.pendingWithdrawals);
  hashNumber(hash, funds.shortfall);
  hashText(hash, funds.deposits.toString());
  hashText(hash, funds.withdrawals.toString());
}

function hashAccount(hash: Hash, account: Account): void {
  hashNumber(hash, account.id);
  hashText(hash, account.address);
  hashNumber(hash, account.createdAt);
  hashNumber(hash, account.available);
  hashNumber(hash, account.freezes);
  hashNumber(hash, account.collateral);
  hashPair(hash, account.house ? 1 : 0, account.flagged ? 1 : 0);
  hashNumber(hash, enumerationIndex(marginModes, account.marginMode));
  hashNumber(hash, account.uncovered);
  hashNumber(hash, account.steppedAt);
  hashNumber(hash, account.feeTier);
  hashVolume(hash, account.volume);
  hashNumber(hash, account.updatedAt);
  for (const position of account.positions) {
    if (position !== undefined && !isBlankPosition(position)) hashPosition(hash, position);
  }
  // Closes the list: no market has this number.
  hashPair(hash, -1, -1);
  hashClientOrderIds(hash, account.clientOrderIds);
  hashIdempotency(hash, account.idempotency);
  hashNumber(hash, account.apiKeys.length);
  for (const key of account.apiKeys) hashApiKey(hash, key);
  hashPair(hash, account.triggers.length, account.waitingTriggers);
  hashNumber(hash, account.waitingWithdrawals);
  hashNumber(hash, account.guestSince);
  for (const { id } of account.triggers) hashNumber(hash, id);
  hashPair(hash, account.traded ? 1 : 0, account.referral === null ? 0 : 1);
  if (account.referral !== null) hashReferral(hash, account.referral);
  hashNumber(hash, account.sessions.length);
  for (const { id, createdAt, expiresAt, client, agent } of account.sessions) {
    for (const number of [id, createdAt, expiresAt]) hashNumber(hash, number);
    hashText(hash, client);
    hashText(hash, agent);
  }
}

function hashReferral(hash: Hash, referral: Referral): void {
  hashText(hash, referral.code);
  hashNumber(hash, referral.referrer);
  hashNumber(hash, referral.accrued);
  hashNumber(hash, referral.claimed);
  hashNumber(hash, referral.day);
  hashNumber(hash, referral.today);
}

function hashVolume(hash: Hash, volume: Volume): void {
  hashPair(hash, volume.day, volume.tier);
  hashNumber(hash, volume.today);
  hashNumber(hash, volume.past.length);
  for (const money of volume.past) hashNumber(hash, money);
}

function hashIdempotency(hash: Hash, remembered: ReadonlyMap<string, Idempotency>): void {
  hashNumber(hash, remembered.size);
  for (const [key, { request, kind, order, time }] of remembered) {
    hashText(hash, key);
    hashText(hash, request);
    hashNumber(hash, enumerationIndex(idempotencyKinds, kind));
    hashNumber(hash, order);
    hashNumber(hash, time);
  }
}

function hashClientOrderIds(hash: Hash, ids: ReadonlyMap<string, OrderId>): void {
  if (ids.size === 0) {
    hashPair(hash, 0, 0);
    return;
  }
  hashUnordered(hash, ids, (item, [clientOrderId, order]) => {
    hashText(item, clientOrderId);
    hashNumber(item, order);
  });
}

function hashApiKey(hash: Hash, key: ApiKey): void {
  hashNumber(hash, key.id);
  hashNumber(hash, key.account);
  hashText(hash, key.apiKey);
  hashNumber(hash, key.createdAt);
  const status = enumerationIndex(apiKeyStatuses, key.status);
  hashPair(hash, status, enumerationIndex(rateTiers, key.rateTier));
  hashText(hash, key.profile);
}

const oneHundredPercent = BigInt(rateOne);

function hashPosition(hash: Hash, position: Position): void {
  hashPair(hash, position.market, position.account);
  hashNumber(hash, position.leverage);
  hashNumber(hash, position.lots);
  hashNumber(hash, position.entry);
  hashNumber(hash, position.collateral);
  hashNumber(hash, position.uncovered);
  hashNumber(hash, Number(position.surcharge / oneHundredPercent));
  hashNumber(hash, Number(position.surcharge % oneHundredPercent));
  hashPair(hash, position.flagged ? 1 : 0, position.closeTriggers);
  hashNumber(hash, position.steppedAt);
  hashNumber(hash, position.updatedAt);
  hashNumber(hash, position.countdown);
  hashPair(hash, position.orderCount, position.reduceOnlyCount);
  hashNumber(hash, position.covered);
  hashQueue(hash, position.oldestBuy);
  hashQueue(hash, position.oldestSell);
}

// The orders themselves are hashed elsewhere; here only their order in the queue.
function hashQueue(hash: Hash, oldest: Order | null): void {
  for (let order = oldest; order !== null; order = order.newer) hashNumber(hash, order.id);
  hashPair(hash, -1, -1);
}

function hashMarket(hash: Hash, market: Market): void {
  hashNumber(hash, market.id);
  hashText(hash, market.symbol);
  hashText(hash, market.baseAsset);
  hashPair(hash, market.tick.decimals, market.lot.decimals);
  hashNumber(hash, market.tick.step);
  hashNumber(hash, market.lot.step);
  hashNumber(hash, market.grain);
  hashNumber(hash, market.listedAt);
  hashMarketTerms(hash, market.terms);
  hashPair(hash, enumerationIndex(marketStatuses, market.status), 0);
  hashNumber(hash, market.raise.rate);
  hashNumber(hash, market.raise.at);
  hashNumber(hash, market.raise.timer);
  hashFigures(hash, market.figures);
  hashShares(hash, market);
  hashNumber(hash, market.dues.fundedAt);
  hashNumber(hash, market.dues.settledAt);
  hashNumber(hash, market.book.updateId);
  hashLadder(hash, market.book.bids);
  hashLadder(hash, market.book.asks);
}

function hashShares(hash: Hash, market: Market): void {
  for (const { account, accrued, sum, due } of sharesOf(market)) {
    hashNumber(hash, account);
    hashText(hash, `${accrued} ${due}`);
    hashNumber(hash, sum);
  }
  hashPair(hash, -1, -1);
}

function hashFigures(hash: Hash, figures: MarketFigures): void {
  hashNumber(hash, figures.last);
  hashNumber(hash, figures.lastAt);
  hashNumber(hash, figures.lastRegular);
  hashNumber(hash, figures.tradeId);
  hashNumber(hash, figures.longLots);
  hashNumber(hash, figures.shortLots);
  hashNumber(hash, figures.positionLots);
  hashNumber(hash, figures.entry);
  hashNumber(hash, figures.fundingSum);
  hashNumber(hash, figures.fundingAt);
  hashNumber(hash, figures.feesToShare);
}

function hashLadder(hash: Hash, ladder: Ladder): void {
  for (const block of ladder.blocks) {
    for (const level of block.levels) {
      hashNumber(hash, level.ticks);
      hashNumber(hash, level.lots);
      for (let order = level.first; order !== null; order = order.next) hashOrder(hash, order);
    }
  }
  hashPair(hash, -1, -1);
}
