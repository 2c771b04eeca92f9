// Mixes every field of an event into a running hash. Two replicas that have seen the same stream
// have the same hash; it is compared with the hash of the trading replica's events.

import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import { enumerationIndex } from '../codec/enumeration.ts';
import { hashFeeTiers } from '../codec/feeTiersCodec.ts';
import { hashMarketTerms } from '../codec/marketTermsCodec.ts';
import type { Event, MarketChanged, MarketListed, Traded } from '../event.ts';
import type { Fill } from '../fill.ts';
import { apiKeyStatuses, marginModes, rateTiers } from '../marginModes.ts';
import { marketStatuses } from '../marketTerms.ts';
import type { Deleveraged } from '../riskEvent.ts';
import { stateOf } from '../views/stateOf.ts';
import { hashReferralEvent } from './hashReferralEvent.ts';
import { hashOrder } from './orderHash.ts';
import { hashTrigger } from './triggerHash.ts';

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
  hashPair(hash, event.takerSide, event.liquidation ? 1 : 0);
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

// The kinds come in groups, because a switch over all of them is too long. The number with which
// each event begins distinguishes them.

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
      hashOrder(hash, stateOf.order(event.order));
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
    case 'triggerPlaced':
      hashPair(hash, 21, 0);
      hashTrigger(hash, stateOf.trigger(event.trigger));
      return;
    case 'triggerModified':
      hashPair(hash, 81, 0);
      hashTrigger(hash, stateOf.trigger(event.trigger));
      return;
    case 'triggerFired':
      hashHead(hash, 22, event.account, event.market, event.id);
      hashNumber(hash, event.order);
      hashNumber(hash, event.mark);
      return;
    case 'triggerTried':
      hashHead(hash, 62, event.account, event.market, event.id);
      hashText(hash, event.reason);
      hashNumber(hash, event.work);
      return;
    case 'triggerEnded':
      hashPair(hash, 23, 0);
      hashTrigger(hash, stateOf.trigger(event.trigger));
      return;
    default:
      hashMoneyEvent(hash, event);
      return;
  }
}

type Kinds<K extends Event['kind']> = { readonly kind: K };
type OrderEvent = Kinds<
  | 'orderPlaced'
  | 'orderEnded'
  | 'traded'
  | 'orderModified'
  | 'orderCut'
  | 'priced'
  | 'triggerPlaced'
  | 'triggerModified'
  | 'triggerFired'
  | 'triggerTried'
  | 'triggerEnded'
>;

/** Rows of the ledger without a trade of the book. */
function hashMoneyEvent(hash: Hash, event: Exclude<Event, OrderEvent>): void {
  switch (event.kind) {
    case 'profitRealized':
      hashRow(hash, 7, event);
      return;
    case 'profitShared':
      hashRow(hash, 24, event);
      return;
    case 'liquidationFeePaid':
      hashRow(hash, 25, event);
      return;
    case 'fundingPaid':
      hashRow(hash, 26, event);
      hashNumber(hash, event.boundary);
      hashNumber(hash, event.rate);
      hashNumber(hash, event.lots);
      return;
    case 'positionSettled':
      hashHead(hash, 27, event.account, event.market, event.id);
      hashNumber(hash, event.lots);
      hashNumber(hash, event.pnl);
      hashNumber(hash, event.balance);
      return;
    case 'credited':
      hashRow(hash, 15, event);
      hashText(hash, event.reference);
      return;
    case 'insuranceCredited':
      hashHead(hash, 28, 0, 0, event.id);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.balance);
      hashText(hash, event.reference);
      return;
    case 'withdrawalRequested':
      hashRow(hash, 29, event);
      return;
    case 'withdrawalResolved':
      hashRow(hash, event.completed ? 30 : 31, event);
      return;
    default:
      hashRiskEvent(hash, event);
      return;
  }
}

type Row = {
  readonly id: number;
  readonly account: number;
  readonly market?: number;
  readonly amount: number;
  readonly balance: number;
};

function hashRow(hash: Hash, code: number, row: Row): void {
  hashHead(hash, code, row.account, row.market ?? 0, row.id);
  hashNumber(hash, row.amount);
  hashNumber(hash, row.balance);
}

type MoneyEvent = Kinds<
  | 'profitRealized'
  | 'profitShared'
  | 'liquidationFeePaid'
  | 'fundingPaid'
  | 'positionSettled'
  | 'credited'
  | 'insuranceCredited'
  | 'withdrawalRequested'
  | 'withdrawalResolved'
>;

/** The effects of prices and risk on markets and accounts. */
function hashRiskEvent(hash: Hash, event: Exclude<Event, OrderEvent | MoneyEvent>): void {
  switch (event.kind) {
    case 'lossCovered':
      hashHead(hash, 8, event.account, event.market, 0);
      hashNumber(hash, event.fund);
      hashNumber(hash, event.shared);
      hashNumber(hash, event.shortfall);
      return;
    case 'fundingCovered':
      hashHead(hash, 52, event.account, event.market, 0);
      hashNumber(hash, event.amount);
      return;
    case 'feesShared':
      hashHead(hash, 53, 0, event.market, event.id);
      hashNumber(hash, event.amount);
      hashNumber(hash, event.balance);
      return;
    case 'liquidationFlagged':
      // No market has the number −1.
      hashHead(hash, 32, event.account, event.market ?? -1, event.flagged ? 1 : 0);
      hashNumber(hash, event.equity);
      hashNumber(hash, event.maintenance);
      return;
    case 'takenOver':
      hashPair(hash, 33, event.market);
      hashNumber(hash, event.id);
      hashNumber(hash, event.tradeId);
      hashPair(hash, event.side, event.ticks);
      hashNumber(hash, event.lots);
      hashFill(hash, event.account);
      hashFill(hash, event.fund);
      return;
    case 'deleveraged':
      hashDeleveraged(hash, event);
      return;
    case 'fundingSettled':
      hashPair(hash, 36, event.market);
      hashNumber(hash, event.boundary);
      hashNumber(hash, event.rate);
      hashNumber(hash, event.mark);
      return;
    case 'marketSettled':
      hashPair(hash, 37, event.market);
      hashNumber(hash, event.ticks);
      return;
    case 'indexRefused':
      hashPair(hash, 38, event.market);
      hashNumber(hash, event.ticks);
      return;
    case 'breakerTripped':
      hashPair(hash, 39, event.market);
      hashNumber(hash, event.until);
      return;
    default:
      hashSettingEvent(hash, event);
      return;
  }
}

function hashDeleveraged(hash: Hash, event: Deleveraged): void {
  hashPair(hash, event.cause === 'deleveraging' ? 34 : 35, event.market);
  hashNumber(hash, event.id);
  hashNumber(hash, event.tradeId);
  hashNumber(hash, event.ticks);
  hashNumber(hash, event.mark);
  hashNumber(hash, event.lots);
  hashPair(hash, event.side, 0);
  hashNumber(hash, event.marginStatus.equity);
  hashNumber(hash, event.marginStatus.maintenance);
  hashFill(hash, event.bankrupt);
  hashFill(hash, event.counterparty);
  hashNumber(hash, event.rank.unrealized);
  hashNumber(hash, event.rank.notional);
  hashNumber(hash, event.rank.entry);
  hashNumber(hash, event.rank.equity);
}

type RiskEvent = Kinds<
  | 'lossCovered'
  | 'fundingCovered'
  | 'feesShared'
  | 'liquidationFlagged'
  | 'takenOver'
  | 'deleveraged'
  | 'fundingSettled'
  | 'marketSettled'
  | 'indexRefused'
  | 'breakerTripped'
>;
type SettingEvent = Exclude<Event, OrderEvent | MoneyEvent | RiskEvent>;

/** Settings of accounts and of the operator, lots of legs, and rejections. */
function hashSettingEvent(hash: Hash, event: SettingEvent): void {
  switch (event.kind) {
    case 'rejected':
      hashPair(hash, 9, 0);
      hashText(hash, event.reason);
      return;
    case 'triggerResized':
      hashHead(hash, 80, event.account, event.market, event.id);
      hashNumber(hash, event.lots);
      return;
    case 'leverageSet':
      hashHead(hash, 10, event.account, event.market, 0);
      hashNumber(hash, event.leverage);
      return;
    case 'countdownSet':
      hashHead(hash, 11, event.account, event.market, 0);
      hashNumber(hash, event.expiresAt);
      return;
    case 'marginModeSet':
      hashHead(hash, 40, event.account, 0, enumerationIndex(marginModes, event.mode));
      return;
    case 'collateralTransferred':
      hashHead(hash, 41, event.account, event.market, 0);
      hashNumber(hash, event.delta);
      hashNumber(hash, event.collateral);
      return;
    case 'feeTiersSet':
      hashPair(hash, 42, 0);
      hashFeeTiers(hash, event.tiers);
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
    default:
      hashAccountEvent(hash, event);
      return;
  }
}

type AccountEvent = Exclude<
  SettingEvent,
  Kinds<
    | 'rejected'
    | 'triggerResized'
    | 'leverageSet'
    | 'countdownSet'
    | 'marginModeSet'
    | 'collateralTransferred'
    | 'feeTiersSet'
    | 'marketListed'
    | 'marketChanged'
  >
>;

/** Accounts and their keys. */
function hashAccountEvent(hash: Hash, event: AccountEvent): void {
  switch (event.kind) {
    case 'accountCreated':
      hashHead(hash, 12, event.account, 0, 0);
      hashText(hash, event.address);
      return;
    case 'guestCreated':
      hashHead(hash, 60, event.account, 0, 0);
      hashText(hash, event.address);
      return;
    case 'accountForgotten':
      hashHead(hash, 61, event.account, 0, 0);
      return;
    case 'loggedIn':
      hashHead(hash, 13, event.account, 0, 0);
      return;
    case 'sessionEnded':
      hashHead(hash, 82, event.account, 0, event.id);
      return;
    case 'accountFlagged':
      hashHead(hash, 14, event.account, 0, event.house ? 1 : 0);
      hashNumber(hash, event.feeTier);
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
      hashReferralEvent(hash, event);
      return;
  }
}
