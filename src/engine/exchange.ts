// The whole state of a deployment, and how an empty one is made. operations/, clearing/ and book/
// change it; apply.ts has the order of the changes.

import { createDirectMap, type DirectMap } from '../std/directMap.ts';
import type { Heap } from '../std/heap.ts';
import type { AccountId, MarketId, Money, OrderId, Rate, Time } from '../units/units.ts';
import { type Account, type ApiKey, createAccount } from './account.ts';
import { type Connections, createConnections } from './connection.ts';
import type { Event } from './event.ts';
import type { FeeTier } from './feeTier.ts';
import { createGuests, type Guests } from './guests.ts';
import { insuranceAccount, insuranceAddress } from './marginModes.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Attachments, Pair } from './pair.ts';
import type { Position } from './position.ts';
import { defaultReferralTerms, type ReferralTerms } from './referral.ts';
import { createTimers } from './timers.ts';
import type { Trigger } from './trigger.ts';
import { createDueQueues, type DueQueues } from './triggers/dueQueue.ts';
import { createUndo, type Undo } from './undo.ts';
import { createVaultLedger, type VaultLedger, type WithdrawalState } from './vaultLedger.ts';

/** System money (BAL-2), beside the insurance fund, which is an account. */
export type Funds = {
  feeRevenue: Money;
  referralPayable: Money;
  pendingWithdrawals: Money;
  shortfall: Money;
  /** Totals since the beginning, including corrections of credits; bigint because of their size. */
  deposits: bigint;
  withdrawals: bigint;
  epoch: number;
};

/** Sums of what the present command moved; BAL-2 holds when they cancel out (invariants.ts). */
export type CommandCheck = {
  balances: number;
  funds: number;
  entries: number;
  deposits: number;
  epoch: number;
};

export type Timer = {
  readonly time: Time;
  readonly id: number;
  readonly kind: 'countdown' | 'nonce' | 'maintenance' | 'funding' | 'delivery' | 'goodTill';
  readonly account: AccountId;
  readonly market: MarketId;
  readonly nonce: string;
  /** Its place in the heap. Transient. */
  slot: number;
};

export type Timers = Heap<Timer> & {
  /** The same timers by number, and their count by kind: rebuilt from the heap. */
  readonly byId: Map<number, Timer>;
  readonly counts: Record<Timer['kind'], number>;
};

/** A withdrawal that waits for the chain (NAT-3). */
export type Withdrawal = {
  readonly id: OrderId;
  readonly account: AccountId;
  /** What left the balance. */
  readonly amount: Money;
  readonly createdAt: Time;
  /** The part of it that does not go to the wallet (VLT-5). */
  readonly fee: Money;
  state: WithdrawalState;
};

/** The highest equity of the insurance fund in one stretch of ten minutes (LIQ-3). */
export type FundPeak = { readonly slot: number; readonly equity: Money };

/** A settled market, and the number of the account whose triggers in it end next (SYM-2b). */
export type Expiring = { readonly market: MarketId; account: AccountId };

/** The credit of a reference; below zero for the correction of a credit (OPS-1b). */
export type CreditRecord = { readonly account: AccountId; readonly amount: Money };

export type Exchange = {
  readonly chainId: number;
  /** The time of the present batch. */
  time: Time;
  /** The last number that an order, a key, a trade or a timer got. */
  sequence: number;
  /** By number; undefined where an account was forgotten (AUTH-5a). */
  readonly accounts: (Account | undefined)[];
  readonly guests: Guests;
  readonly accountByAddress: Map<string, AccountId>;
  readonly markets: Market[];
  readonly marketBySymbol: Map<string, MarketId>;
  /** Live orders. */
  readonly orders: DirectMap<Order>;
  readonly apiKeys: Map<string, ApiKey>;
  readonly credits: Map<string, CreditRecord>;
  /** Triggers that wait or have a live order, by number. */
  readonly triggers: Map<OrderId, Trigger>;
  /** Pairs with a live leg, by number (ATT-2). */
  readonly pairs: Map<OrderId, Pair>;
  /** Those triggers that are due, in the order in which they fire (TRG-6). */
  readonly due: DueQueues;
  /** Settled markets with triggers that must still end, in the order of settlement (SYM-2b). */
  readonly expiring: Expiring[];
  /** Connections whose end ends orders (COD-1). */
  readonly connections: Connections;
  /** Pending withdrawals, by number. */
  readonly withdrawals: Map<OrderId, Withdrawal>;
  readonly vault: VaultLedger;
  /** By rising volume; the first begins at 0 without a discount. */
  feeTiers: readonly FeeTier[];
  referralTerms: ReferralTerms;
  /** The account of each code (NAT-4). Found again from the accounts. */
  readonly referralCodes: Map<string, AccountId>;
  /** The insurance fund's peaks of the last eight hours, oldest first. */
  fundPeaks: readonly FundPeak[];
  /** Used login nonces until they expire (AUTH-5). */
  readonly nonces: Map<string, Time>;
  readonly timers: Timers;
  readonly funds: Funds;

  // Transient: never in a snapshot, and blank between commands except `dirty` and `failing`, which
  // a restored exchange computes again.
  readonly check: CommandCheck;
  readonly undo: Undo;
  /** Orders that ended in this command and are still in their queues (endOrder.ts). */
  readonly ended: Order[];
  /** Events since the driver last took them, in order. */
  events: Event[];
  /**
   * An account's incoming order during its sweep of the book. null for the exchange's own orders:
   * such an order closes for the account, and no debit stops it (BAL-4).
   */
  taker: Order | null;
  /** Accounts that are out of date in the liquidation index (clearing/liquidationIndex.ts). */
  readonly dirty: Account[];
  /** Accounts that failed when their keys were set; the next tick tests them. */
  readonly failing: Set<Account>;
  /**
   * Positions that became flat or changed sides in this command, with triggers to end or a flag to
   * lower.
   */
  readonly flattened: Position[];
  /** The pair of an incoming order, which is not listed yet: its fills count already (ATT-2). */
  drafted: Pair | null;
  /** Positions with pairs that became smaller, and pairs that have changed otherwise (ATT-2). */
  readonly shrunk: Attachments[];
  readonly stirred: Pair[];
  /** Whether the present command is committed: it has passed its "From here … must succeed." */
  committed: boolean;
  /** The cost of the present command, or of the timers of the present batch (work.ts). */
  work: number;
};

export function createExchange(chainId: number): Exchange {
  const fund = createAccount(insuranceAccount, insuranceAddress, 0 as Time);
  fund.house = true;
  fund.funded = true;
  return {
    chainId,
    time: 0 as Time,
    sequence: 0,
    accounts: [fund],
    guests: createGuests(),
    accountByAddress: new Map([[insuranceAddress, insuranceAccount]]),
    markets: [],
    marketBySymbol: new Map(),
    orders: createDirectMap(),
    apiKeys: new Map(),
    credits: new Map(),
    triggers: new Map(),
    pairs: new Map(),
    due: createDueQueues(),
    expiring: [],
    connections: createConnections(),
    withdrawals: new Map(),
    vault: createVaultLedger(),
    feeTiers: [{ minVolume: 0 as Money, makerDiscount: 0 as Rate, takerDiscount: 0 as Rate }],
    referralTerms: defaultReferralTerms,
    referralCodes: new Map(),
    fundPeaks: [],
    nonces: new Map(),
    timers: createTimers(),
    funds: {
      feeRevenue: 0 as Money,
      referralPayable: 0 as Money,
      pendingWithdrawals: 0 as Money,
      shortfall: 0 as Money,
      deposits: 0n,
      withdrawals: 0n,
      epoch: 0,
    },
    check: { balances: 0, funds: 0, entries: 0, deposits: 0, epoch: 0 },
    undo: createUndo(),
    ended: [],
    events: [],
    taker: null,
    dirty: [],
    failing: new Set(),
    flattened: [],
    drafted: null,
    shrunk: [],
    stirred: [],
    committed: false,
    work: 0,
  };
}

/** Draws the next number of the exchange's one sequence (ID-1). */
export function drawNumber(exchange: Exchange): OrderId {
  exchange.sequence += 1;
  return exchange.sequence as OrderId;
}
