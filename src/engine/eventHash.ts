// Mixes an event into a running hash, every field of it. Two replicas that have seen the same
// stream have the same hash; the hash of a trading replica's events is compared with this.

import { unreachable } from '../std/assert.ts';
import { type Hash, hashNumber, hashPair, hashText } from '../std/hash.ts';
import { apiKeyStatuses, rateTiers } from './account.ts';
import { enumerationIndex } from './enumeration.ts';
import type { Event, Fill, MarketChanged, MarketListed, Traded } from './event.ts';
import { marketStatuses } from './market.ts';
import { hashMarketTerms } from './marketTermsCodec.ts';
import { hashOrder } from './orderHash.ts';

function hashFill(hash: Hash, fill: Fill): void {
  hashNumber(hash, fill.account);
  hashNumber(hash, fill.order);
  hashNumber(hash, fill.pnl);
  hashNumber(hash, fill.fee);
  hashNumber(hash, fill.balance);
  hashNumber(hash, fill.position);
}

function hashTraded(hash: Hash, event: Traded): void {
  hashPair(hash, 3, event.market);
  hashNumber(hash, event.id);
  hashNumber(hash, event.tradeId);
  hashPair(hash, event.takerSide, 0);
  hashNumber(hash, event.ticks);
  hashNumber(hash, event.lots);
  hashFill(hash, event.taker);
  hashFill(hash, event.maker);
}

/** Mixes the fields that most events have: the event's own number, account, market, order. */
function hashHead(hash: Hash, code: number, account: number, market: number, id: number): void {
  hashPair(hash, code, market);
  hashNumber(hash, account);
  hashNumber(hash, id);
}

function hashTerms(hash: Hash, event: MarketListed | MarketChanged): void {
  hashMarketTerms(hash, event.terms);
  hashNumber(hash, enumerationIndex(marketStatuses, event.status));
}

/** Mixes `event`. Cost: below 100 ns for an order placed, a trade, an order ended. */
export function hashEvent(hash: Hash, event: Event): void {
  switch (event.kind) {
    case 'orderPlaced':
      hashHead(hash, 1, event.account, event.market, event.id);
      hashPair(hash, event.side, 0);
      hashNumber(hash, event.ticks);
      hashNumber(hash, event.lots);
      hashText(hash, event.clientOrderId);
      return;
    case 'orderEnded':
      hashPair(hash, 2, 0);
      hashOrder(hash, event.order);
      return;
    case 'traded':
      hashTraded(hash, event);
      return;
    case 'orderModified':
      hashHead(hash, 4, event.account, event.market, event.id);
      hashNumber(hash, event.ticksBefore);
      hashNumber(hash, event.lotsBefore);
      hashNumber(hash, event.ticks);
      hashNumber(hash, event.lots);
      return;
    case 'orderCut':
      hashHead(hash, 5, event.account, event.market, event.id);
      hashNumber(hash, event.lots);
      return;
    case 'priced':
      hashPair(hash, 6, event.market);
      hashNumber(hash, event.index);
      hashNumber(hash, event.mark);
      return;
    case 'profitRealized':
      hashHead(hash, 7, event.account, event.market, event.id);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.balance);
      return;
    case 'lossCovered':
      hashHead(hash, 8, event.account, event.market, 0);
      hashNumber(hash, event.fund);
      hashNumber(hash, event.shortfall);
      return;
    default:
      hashRareEvent(hash, event);
      return;
  }
}

type RareEvent = Exclude<
  Event,
  {
    readonly kind:
      | 'orderPlaced'
      | 'orderEnded'
      | 'traded'
      | 'orderModified'
      | 'orderCut'
      | 'priced'
      | 'profitRealized'
      | 'lossCovered';
  }
>;

function hashRareEvent(hash: Hash, event: RareEvent): void {
  switch (event.kind) {
    case 'rejected':
      hashPair(hash, 9, 0);
      hashText(hash, event.reason);
      return;
    case 'leverageSet':
      hashHead(hash, 10, event.account, event.market, 0);
      hashNumber(hash, event.leverage);
      return;
    case 'countdownSet':
      hashHead(hash, 11, event.account, event.market, 0);
      hashNumber(hash, event.expiresAt);
      return;
    case 'accountCreated':
      hashHead(hash, 12, event.account, 0, 0);
      hashText(hash, event.address);
      return;
    case 'loggedIn':
      hashHead(hash, 13, event.account, 0, 0);
      return;
    case 'accountFlagged':
      hashHead(hash, 14, event.account, 0, event.house ? 1 : 0);
      hashNumber(hash, event.feeTier);
      return;
    case 'credited':
      hashHead(hash, 15, event.account, 0, event.id);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.balance);
      hashText(hash, event.reference);
      return;
    case 'marketListed':
      hashPair(hash, 16, event.market);
      hashText(hash, event.symbol);
      hashTerms(hash, event);
      return;
    case 'marketChanged':
      hashPair(hash, 17, event.market);
      hashTerms(hash, event);
      return;
    case 'apiKeyCreated':
      hashHead(hash, 18, event.account, 0, event.id);
      hashText(hash, event.apiKey);
      return;
    case 'apiKeyUpdated':
      hashHead(hash, 19, event.account, 0, event.id);
      hashText(hash, event.apiKey);
      hashNumber(hash, enumerationIndex(apiKeyStatuses, event.status));
      hashNumber(hash, enumerationIndex(rateTiers, event.rateTier));
      hashText(hash, event.profile);
      return;
    case 'apiKeyDeleted':
      hashHead(hash, 20, event.account, 0, event.id);
      hashText(hash, event.apiKey);
      return;
    default:
      unreachable(event);
  }
}
