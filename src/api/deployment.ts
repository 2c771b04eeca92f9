// What the rows of the operations table may reach: the state to look at, the way to a command, and
// the ports of login, keys and operation. The gateway fills it; nothing here knows the gateway.

import type { Command, PlaceOrder, PlaceTrigger } from '../engine/command.ts';
import type { Invariants } from '../engine/invariants/invariants.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Account, ApiKey } from '../engine/views/account.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type { Deleveraging } from '../market-data/deleveragings.ts';
import type { AutoCloseType, ForceOrder } from '../market-data/forceOrders.ts';
import type { RowWindow } from '../market-data/rowGroups.ts';
import type { SettledBoundary } from '../market-data/settledFunding.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import type { Clock } from '../std/clock.ts';
import type { AccountId, MarketId, OrderId, Time } from '../units/units.ts';
import type { ApiExamples } from './examples.ts';
import type { Fields } from './fields.ts';
import type { HistoryPort, Remembered } from './historyPort.ts';
import type { LongShort, MarketDataPort } from './marketDataPort.ts';
import type { Refusal } from './refusal.ts';

/** Where a command queues: cancels, keys and prices keep a reserve of their own (Overload). */
export type Lane = 'order' | 'reserve';

/** API keys' secrets and profiles; everything is on the disk when a call returns. */
export type KeyVault = {
  readonly createKeyRecord: (record: {
    readonly apiKey: string;
    readonly secret: string;
    readonly label: string;
    readonly ipWhitelist: string;
  }) => string;
  readonly putProfile: (profile: {
    readonly label: string;
    readonly ipWhitelist: string;
  }) => string;
  readonly profileOf: (
    ref: string,
  ) => { readonly label: string; readonly ipWhitelist: string } | undefined;
  readonly secretOf: (apiKey: string) => string | undefined;
  readonly removeKey: (apiKey: string) => void;
  readonly removeProfile: (ref: string) => void;
  readonly lastUsedOf: (apiKey: string) => number | undefined;
  /** Runs work on one API key after the work on it that was asked for before. */
  readonly inTurn: <T>(apiKey: string, work: () => Promise<T>) => Promise<T>;
  /** An ip_whitelist as it is stored and shown; undefined when it is malformed. */
  readonly normalizeWhitelist: (text: string) => string | undefined;
};

/** Nonces, wallet signatures and tokens (AUTH-5). */
export type LoginPort = {
  /** The wallet address in lower case; undefined when it is malformed (NAT). */
  readonly parseAddress: (text: string) => string | undefined;
  /** A nonce for an address, and what the wallet is to sign. */
  readonly issueNonce: (address: string) => {
    readonly nonce: string;
    readonly timestamp: number;
    readonly expiresAt: number;
    readonly typedData: unknown;
  };
  /** Checks nonce and signature; gives the nonce's expiry in ms, or why not. */
  readonly verifyLogin: (login: {
    readonly address: string;
    readonly nonce: string;
    readonly timestamp: number;
    readonly signature: string;
    /** The client's network address, for its limit. */
    readonly client: string;
  }) => Promise<{ readonly expiresAt: Time } | Refusal>;
  readonly issueToken: (
    address: string,
  ) => Promise<{ readonly token: string; readonly expiresAt: number }>;
};

/** What only the archivist can answer without stopping trade. */
export type ArchivistPort = {
  readonly stateHash: () => Promise<{
    readonly position: number;
    readonly stateHash: string;
    readonly priceHash: string;
  }>;
  readonly invariants: () => Promise<Invariants & { readonly position: number }>;
  readonly snapshot: () => Promise<{ readonly position: number }>;
  /**
   * How near each open position of the account is to being deleveraged, by market; refused when
   * too many ask. A position that has just been opened may still count as the last (LIQ-7).
   */
  readonly adlQuantiles: (account: AccountId) => Promise<readonly AdlQuantile[] | Refusal>;
  /** Counted at most five seconds ago; refused when too many ask. */
  readonly longShort: (market: MarketId) => Promise<LongShort | Refusal>;
};

/** The fifth of its side's ranking that a position stands in: 4 is deleveraged first (LIQ-7). */
export type AdlQuantile = { readonly market: MarketId; readonly quantile: number };

/** Keys that open user data streams, one for an account (conventions, 12.1). */
export type ListenKeyPort = {
  /** The account's, made when it has none, for another hour; undefined when there are too many. */
  readonly open: (account: AccountId) => string | undefined;
  /** The account's for another hour; undefined when it has none. */
  readonly keepAlive: (account: AccountId) => string | undefined;
  readonly close: (account: AccountId) => void;
};

/** Prices that the operator sets (PRC-2, feed `manual`). */
export type ManualPrices = {
  /**
   * States this price of a symbol, at once and every second until another one comes; null
   * withdraws it. False: no decimal above zero, or no room for one more symbol.
   */
  readonly set: (symbol: string, price: string | null) => boolean;
  /** The price that stands; undefined when there is none. */
  readonly standing: (symbol: string) => string | undefined;
};

/** What the chain side's liquidation reporter has done (OPS-3). */
export type LiquidationReport = {
  readonly enabled: boolean;
  readonly keeperAddress: string | null;
  readonly lastBlock: number | null;
  readonly submissions: {
    readonly pending: number;
    readonly submitted: number;
    readonly confirmed: number;
    readonly failed: number;
  };
};

/** One deployment, as every row of the process shares it. */
export type Deployment = {
  readonly chainId: number;
  /** The backend's release version. */
  readonly version: string;
  readonly clock: Clock;
  /** The state as applied so far. Rows look; only the replica writes. */
  readonly exchange: Exchange;
  /** An order of this account that has ended, while the view remembers it. */
  readonly findEndedOrder: (
    account: AccountId,
    reference: { readonly id: OrderId } | { readonly clientOrderId: string },
  ) => Readonly<Order> | undefined;
  /** An ended order of any account, to distinguish a foreign order from an unknown one. */
  readonly findEndedOrderById: (id: OrderId) => Readonly<Order> | undefined;
  /** A trigger of this account that has ended, while the view remembers it. */
  readonly findEndedTrigger: (
    account: AccountId,
    reference: { readonly id: OrderId } | { readonly clientOrderId: string },
  ) => Readonly<Trigger> | undefined;
  /** An ended trigger of whatever account. */
  readonly findEndedTriggerById: (id: OrderId) => Readonly<Trigger> | undefined;
  /**
   * By their time; without `autoCloseType` those of both. This list and the next three are
   * memory's as long as it has forgotten no row, and history's then.
   */
  readonly forceOrdersOf: (
    account: AccountId,
    window: RowWindow & { readonly autoCloseType?: AutoCloseType | undefined },
  ) => Remembered<readonly ForceOrder[]>;
  /** Of all accounts, none of which is named. */
  readonly deleveragings: (window: RowWindow) => Remembered<readonly Deleveraging[]>;
  /** By their request. Withdrawals have no market. */
  readonly withdrawalsOf: (
    account: AccountId,
    window: RowWindow,
  ) => Remembered<readonly WithdrawalRow[]>;
  /** By their boundary. */
  readonly settledFunding: (window: RowWindow) => Remembered<readonly SettledBoundary[]>;
  /** The market's last boundary. */
  readonly lastSettlement: (market: MarketId) => SettledBoundary | undefined;
  /** What was, beyond what memory holds. */
  readonly history: HistoryPort;
  /** What markets did. */
  readonly marketData: MarketDataPort;
  /** What placing this order or trigger would do now; changes nothing. */
  readonly testOrder: (command: PlaceOrder | PlaceTrigger) => Outcome;
  /**
   * Sends a command and waits until it is durable. `capture` runs right after it was applied and
   * copies what is needed: the records in an outcome are live. Refused when the queue is full.
   */
  readonly perform: <T>(
    command: Command,
    lane: Lane,
    capture: (outcome: Outcome) => T,
  ) => Promise<T | Refusal>;
  readonly head: () => { readonly position: number; readonly hash: string };
  readonly waiting: () => number;
  readonly keys: KeyVault;
  readonly login: LoginPort;
  readonly archivist: ArchivistPort;
  readonly manualPrices: ManualPrices;
  readonly listenKeys: ListenKeyPort;
  /**
   * The sources that this deployment has for a symbol. The first one is what a market's index takes
   * when its record names none.
   */
  readonly indexSourcesOf: (symbol: string) => readonly string[];
  /** Whether the money of its chain is real. */
  readonly isMainnet: boolean;
  readonly liquidation: () => LiquidationReport;
  /** Random bytes fit for secrets. */
  readonly randomBytes: (size: number) => Buffer;
  /** The text of GET /metrics. */
  readonly metrics: () => Promise<string>;
  /** What the documentation shows of each operation. */
  readonly examples: ApiExamples;
};

/** One request, as a row sees it. */
export type Context = {
  readonly deployment: Deployment;
  /** Of a signed request or a valid token; undefined on public routes. */
  readonly account: Account | undefined;
  /** Of a request signed with an API key. */
  readonly apiKey: ApiKey | undefined;
  /** The wallet of a valid token. */
  readonly address: string;
  /** The client's network address (AUTH-1). */
  readonly client: string;
  /** When the request arrived, by the clock. */
  readonly now: Time;
  /** Idempotency-Key and request as hashes, on rows that take them (ID-3); else empty. */
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
  /** Everything the request carried, path parameters included. */
  readonly fields: Fields;
};
