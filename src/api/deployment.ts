// What the rows of the operations table can use: the state to read, the way to submit a command,
// and the ports of login, API keys and operator actions. The gateway fills it; nothing here knows
// the gateway.

import type { Command, PlaceOrder, PlaceTrigger } from '../engine/command.ts';
import type { Invariants } from '../engine/invariants/invariants.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Account, ApiKey } from '../engine/views/account.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import type { Order } from '../engine/views/order.ts';
import type { Look } from '../engine/views/trial.ts';
import type { Trigger } from '../engine/views/trigger.ts';
import type { Deleveraging } from '../market-data/deleveragings.ts';
import type { AutoCloseType, ForceOrder } from '../market-data/forceOrders.ts';
import type { RowWindow } from '../market-data/rowGroups.ts';
import type { SettledBoundary } from '../market-data/settledFunding.ts';
import type { WithdrawalRow } from '../market-data/withdrawals.ts';
import type { Clock } from '../std/clock.ts';
import type { AccountId, MarketId, Money, OrderId, Time } from '../units/units.ts';
import type { ApiExamples } from './examples.ts';
import type { Fields } from './fields.ts';
import type { HistoryPort, Remembered } from './historyPort.ts';
import type { LongShort, MarketDataPort } from './marketDataPort.ts';
import type { Answer } from './operation.ts';
import type { Refusal } from './refusal.ts';

/** Where a command queues. Cancels, keys and prices have a reserve of their own (Overload). */
export type Lane = 'order' | 'reserve';

/** API keys' secrets and profiles. Everything is on the disk when a call returns. */
export type KeySecrets = {
  readonly createKeyRecord: (record: {
    readonly apiKey: string;
    readonly secret: string;
    readonly label: string;
    readonly ipWhitelist: string;
  }) => Promise<string>;
  readonly putProfile: (profile: {
    readonly label: string;
    readonly ipWhitelist: string;
  }) => Promise<string>;
  readonly profileOf: (
    ref: string,
  ) => { readonly label: string; readonly ipWhitelist: string } | undefined;
  readonly secretOf: (apiKey: string) => string | undefined;
  /** Destroys the secret, and removes the profile. */
  readonly removeKey: (apiKey: string, profile: string) => Promise<void>;
  /** Removes a profile that no key has any more, at some time; a start removes it otherwise. */
  readonly removeProfile: (ref: string) => void;
  readonly lastUsedOf: (apiKey: string) => number | undefined;
  /**
   * While what another process has written of a key is on its way here: resolves when it is here,
   * or after a while. undefined: nothing is.
   */
  readonly arriving: (apiKey: string) => Promise<void> | undefined;
  /** Runs work on one API key after all earlier work on that key. */
  readonly inTurn: <T>(apiKey: string, work: () => Promise<T>) => Promise<T>;
  /** An ip_whitelist as it is stored and shown; undefined when it is malformed. */
  readonly normalizeWhitelist: (text: string) => string | undefined;
};

/** Nonces, wallet signatures and tokens (AUTH-5). */
export type LoginPort = {
  /** The wallet address in lower case; undefined when it is malformed (NAT). */
  readonly parseAddress: (text: string) => string | undefined;
  /** A nonce for an address, and the text that the wallet must sign. */
  readonly issueNonce: (address: string) => {
    readonly nonce: string;
    readonly timestamp: number;
    readonly expiresAt: number;
    readonly typedData: unknown;
  };
  /** Checks nonce and signature; gives the nonce's expiry in ms, or the reason of failure. */
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
    session: OrderId,
  ) => Promise<{ readonly token: string; readonly expiresAt: number }>;
};

/** What only the archivist can answer without stopping trading. */
export type ArchivistPort = {
  readonly stateHash: () => Promise<{
    readonly position: number;
    readonly stateHash: string;
    readonly priceHash: string;
  }>;
  readonly invariants: () => Promise<Invariants & { readonly position: number }>;
  readonly snapshot: () => Promise<{ readonly position: number }>;
  /**
   * How near each open position of the account is to deleveraging, by market. The archivist refuses
   * when too many requests wait. A position that has just been opened may still count as the last
   * (LIQ-7).
   */
  readonly adlQuantiles: (account: AccountId) => Promise<readonly AdlQuantile[] | Refusal>;
  /** Counted at most five seconds ago. The archivist refuses when too many requests wait. */
  readonly longShort: (market: MarketId) => Promise<LongShort | Refusal>;
  /**
   * A wallet in the newest tree of what is owed (VLT-8), from its file. `none`: there is no tree.
   * The archivist refuses when too many requests wait.
   */
  readonly proveWallet: (wallet: string) => Promise<ProofText | 'none' | Refusal>;
};

/** Parts of an answer, as JSON that was written where the tree is. */
export type ProofText = {
  /** SHA-256 of the published file: 64 hex digits. */
  readonly fileHash: string;
  /** What the tree says of itself. */
  readonly tree: string;
  /** A leaf with the nodes beside its way to the root; `null`: the wallet has no leaf. */
  readonly proof: string;
};

/** The fifth of its side's ranking in which a position is: 4 is deleveraged first (LIQ-7). */
export type AdlQuantile = { readonly market: MarketId; readonly quantile: number };

/** Keys that open user data streams, one for each account (conventions, 12.1). */
export type ListenKeyPort = {
  /**
   * The account's key, valid for another hour. Makes a key if there is none; undefined when there
   * are too many.
   */
  readonly open: (account: AccountId) => string | undefined;
  /** Extends the account's key by another hour; undefined when it has none. */
  readonly keepAlive: (account: AccountId) => string | undefined;
  readonly close: (account: AccountId) => void;
};

/** Play money of a testnet: the amount of one claim, and how many claims are admitted (NAT-8). */
export type FaucetPort = {
  readonly amount: Money;
  readonly admit: (client: string, now: Time) => boolean;
  readonly giveBack: (client: string) => void;
};

/** Prices that the operator sets (PRC-2, feed `manual`). */
export type ManualPrices = {
  /**
   * States this price of a symbol at once, and then every second until another price replaces it.
   * null withdraws it. False: not a decimal above zero, or no room for one more symbol.
   */
  readonly set: (symbol: string, price: string | null) => boolean;
  /** The present price; undefined when there is none. */
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

/** What the chain service of a process has done since its start (VLT-1). */
export type ChainStanding = {
  /**
   * What the vault held at a final block, seconds, and what the exchange owed when it knew all of
   * it; units of 1e-6. null: it has not been compared yet.
   */
  readonly holdings: {
    readonly block: number;
    readonly time: number;
    readonly held: bigint;
    readonly owed: bigint;
  } | null;
  /** The final block that it has read last. */
  readonly block: number | null;
  readonly rounds: number;
  /** Facts that it has brought to the log, and transactions that it has sent to the vault. */
  readonly facts: number;
  readonly transactions: number;
  /** The address of its gas account; null: it pays nothing out. */
  readonly gasAccount: string | null;
  /** How the liquidation keeper stands; null: this process reports nothing (KPR-1). */
  readonly keeper: {
    readonly isKeeper: boolean;
    readonly pending: number;
    readonly submitted: number;
    readonly confirmed: number;
    readonly failed: number;
    readonly reportedTo: number;
    readonly isLate: boolean;
  } | null;
  /** The vault's last anchor in a final block (VLT-8); null: not read yet. */
  readonly anchor: {
    /** 0: there is none. */
    readonly epoch: number;
    readonly position: number;
    /** Seconds. */
    readonly acceptedAt: number;
    /** So long after it anyone may open the exit; seconds. */
    readonly silence: number;
    readonly treeHash: string;
    /** false: the log contradicts it; null: it lies before what this process knows. */
    readonly isOfLog: boolean | null;
  } | null;
  /** Its nodes, in their order. */
  readonly nodes: readonly Readonly<{ place: number; host: string; isWrong: boolean }>[];
  /** Of the last round: what the operator must know, each with a detail. */
  readonly alarms: readonly string[];
  /**
   * The depth at which a block counts as final although nodes do not call it so; null: only what
   * they call final is.
   */
  readonly depthWhenStalled: bigint | null;
  /** What the vault takes and pays at once, at a block; units of 1e-6. null: not known yet. */
  readonly terms: {
    readonly block: number;
    readonly minimumDeposit: bigint;
    readonly instantMax: bigint;
    readonly bucketCapacity: bigint;
    readonly bucketLevel: bigint;
    /** Seconds. */
    readonly queueDelay: number;
  } | null;
  /** Where the vault has taken a deposit; undefined: not known. Memory alone answers. */
  readonly depositAt: (index: number) => ChainPlace | undefined;
  /** Where the vault has queued or ended a withdrawal, by the vault's id; undefined: not known. */
  readonly withdrawalAt: (id: string) => WithdrawalPlace | undefined;
};

/** A transaction of a final block. It is shown and decides nothing. */
export type ChainPlace = { readonly transaction: string; readonly block: number };

export type WithdrawalPlace = ChainPlace & {
  readonly event: 'paid' | 'failed' | 'queued' | 'cancelled';
  /** When the vault may pay it, seconds; null unless it was queued. */
  readonly readyAt: number | null;
};

/** The trading page and the documentation, built at the start, as documents (CON-4). */
export type PagePort = {
  /** Waits until the page is built. */
  readonly shell: () => Promise<Answer | Refusal>;
  /** A file that the page names. */
  readonly file: (name: string) => Promise<Answer | Refusal>;
  /** A page or a file of the documentation; waits until all of it is built. */
  readonly document: (path: string) => Promise<Answer | Refusal>;
};

export type StandingMembers = {
  readonly role?: 'candidate' | 'follower' | 'sequencer';
  readonly position?: number;
  readonly lag_ms?: number;
};

/** One deployment; all rows of the process share it. */
export type Deployment = {
  readonly chainId: number;
  /** The backend's release version. */
  readonly version: string;
  /** Of a process whose log is in PostgreSQL: what /health says of its place in the cluster. */
  readonly standing?: () => StandingMembers;
  /**
   * Whether this process writes the log now. Prices are set by hand where they are published:
   * another of several processes refuses that (`waiting`).
   */
  readonly holds: () => boolean;
  readonly clock: Clock;
  /** The state as applied so far. Rows read it; only the replica changes it. */
  readonly exchange: Exchange;
  /** An ended order of this account, while the view remembers it. */
  readonly findEndedOrder: (
    account: AccountId,
    reference: { readonly id: OrderId } | { readonly clientOrderId: string },
  ) => Readonly<Order> | undefined;
  /** An ended order of any account, to distinguish a foreign order from an unknown one. */
  readonly findEndedOrderById: (id: OrderId) => Readonly<Order> | undefined;
  /** An ended trigger of this account, while the view remembers it. */
  readonly findEndedTrigger: (
    account: AccountId,
    reference: { readonly id: OrderId } | { readonly clientOrderId: string },
  ) => Readonly<Trigger> | undefined;
  /** An ended trigger of any account. */
  readonly findEndedTriggerById: (id: OrderId) => Readonly<Trigger> | undefined;
  /**
   * In order of time; without `autoCloseType` both types. Memory answers this list and the next
   * three as long as it has forgotten no row; after that history answers.
   */
  readonly forceOrdersOf: (
    account: AccountId,
    window: RowWindow & { readonly autoCloseType?: AutoCloseType | undefined },
  ) => Remembered<readonly ForceOrder[]>;
  /** Of all accounts; the rows name no account. */
  readonly deleveragings: (window: RowWindow) => Remembered<readonly Deleveraging[]>;
  /** In order of their requests. Withdrawals have no market. */
  readonly withdrawalsOf: (
    account: AccountId,
    window: RowWindow,
  ) => Remembered<readonly WithdrawalRow[]>;
  /** In order of their boundaries. */
  readonly settledFunding: (window: RowWindow) => Remembered<readonly SettledBoundary[]>;
  /** The market's last boundary. */
  readonly lastSettlement: (market: MarketId) => SettledBoundary | undefined;
  /** The past, beyond what memory holds. */
  readonly history: HistoryPort;
  /** Market data: candles, tickers, trades and figures by period. */
  readonly marketData: MarketDataPort;
  /**
   * What placing this order or trigger would do now; changes nothing. `look` reads the state that
   * an accepted order would leave.
   */
  readonly testOrder: (command: PlaceOrder | PlaceTrigger, look?: Look) => Outcome;
  /**
   * Sends a command and waits until it is durable. `capture` runs right after the command was
   * applied and copies what is needed, because the records in an outcome are live. Refused when the
   * queue is full.
   */
  readonly perform: <T>(
    command: Command,
    lane: Lane,
    capture: (outcome: Outcome) => T,
  ) => Promise<T | Refusal>;
  readonly head: () => { readonly position: number; readonly hash: string };
  readonly waiting: () => number;
  readonly keys: KeySecrets;
  readonly login: LoginPort;
  /** When a session was last used, as this process remembers it; undefined: it does not. */
  readonly sessionUsedAt: (session: OrderId) => Time | undefined;
  readonly archivist: ArchivistPort;
  readonly manualPrices: ManualPrices;
  readonly listenKeys: ListenKeyPort;
  /**
   * The sources that this deployment has for a symbol. A market whose record names no source takes
   * the first one.
   */
  readonly indexSourcesOf: (symbol: string) => readonly string[];
  /** What gives play money; undefined where there is none (NAT-8). */
  readonly faucet: FaucetPort | undefined;
  /** Whether the money of its chain is real. */
  readonly isMainnet: boolean;
  readonly liquidation: () => LiquidationReport;
  /** How the chain service of this process stands; undefined: it runs none. */
  readonly chain: () => ChainStanding | undefined;
  /** The vault that its settings name, in lower case; empty: none. */
  readonly vault: string;
  /** Random bytes that are good enough for secrets. */
  readonly randomBytes: (size: number) => Buffer;
  /** The text of GET /metrics. */
  readonly metrics: () => Promise<string>;
  /** The examples that the documentation shows of each operation. */
  readonly examples: ApiExamples;
  readonly page: PagePort;
};

/** One request, as a row sees it. */
export type Context = {
  readonly deployment: Deployment;
  /** The account of a signed request or a valid token; undefined on public routes. */
  readonly account: Account | undefined;
  /** The key of a request signed with an API key. */
  readonly apiKey: ApiKey | undefined;
  /** Of a valid token: the number of its session, 0 if it has none, and the time of its login. */
  readonly session: OrderId;
  readonly loggedInAt: Time;
  /** What the client calls itself; empty when it does not. */
  readonly userAgent: string;
  /** The wallet of a valid token. */
  readonly address: string;
  /** The client's network address (AUTH-1). */
  readonly client: string;
  /** When the request arrived, by the wall clock. */
  readonly now: Time;
  /** Idempotency-Key and request as hashes, on rows that read the header (ID-3); else empty. */
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
  /** Everything that the request carried, path parameters included. */
  readonly fields: Fields;
};
