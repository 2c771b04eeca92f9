// The port of a replica for its readers and writers: an engine that the log drives.
// createReplica.ts builds and runs it.

import type { Tested } from '../engine/apply.ts';
import type { Command, PlaceOrder, PlaceTrigger } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import type { Look } from '../engine/views/trial.ts';
import type { Views } from '../market-data/views.ts';
import type { AccountId, OrderId } from '../units/units.ts';
import type { Figures } from './replicaState.ts';

/** What stands beside a command in the log and is no part of it. */
export type Beside = {
  /**
   * The start of the process that received the request, and the number that it gave it; absent
   * where this process received it.
   */
  readonly origin?: { readonly process: string; readonly number: number };
  /** How long ago it received it, in milliseconds. */
  readonly ageMs: number;
  /** The order limit that the command has used (AUTH-7); absent where it is no order. */
  readonly charge?: OrderCharge;
};

/** The order limit that one order has used, where it was counted. */
export type OrderCharge = {
  readonly account: AccountId;
  /** The number of its API key; 0: it came with a token. */
  readonly key: number;
  /** When the window of ten seconds began in which it counts. */
  readonly window: number;
};

/**
 * What a client has proved who it is with, as the state was then. A process that passes a command
 * on may be a moment behind, so the process that writes compares it with its own state.
 */
export type Caller =
  | { readonly key: number; readonly profile: string }
  | { readonly session: OrderId };

export type PassedOn = {
  readonly caller: Caller;
  /** Called instead of the others: the process that writes knows other things of the caller. */
  readonly onChanged: () => void;
};

/** The orders of one key or token, with those of all processes, in the windows of an order. */
export type CountedOrders = {
  /** When the window of ten seconds began. */
  readonly window: number;
  readonly inTenSeconds: number;
  readonly inMinute: number;
};

/** Why a command that another process was asked to write was not executed, or may have been. */
export type LateRefusal =
  | Shortage
  | 'stopping'
  | 'overloaded'
  | 'waiting'
  | 'tokenInvalid'
  | 'tooManyRequests'
  | 'apiKeyInvalid'
  | 'apiKeyDisabled'
  | 'fateUnknown';

/** Waits for the outcome of one command. Each is called at most once, on the trading thread. */
export type Waiter = {
  /**
   * Called right after the command was applied. Copy what the answer needs: the records are live.
   * `work` is the cost of the command for the engine, in units (ORD-14).
   */
  readonly capture: (outcome: Outcome, work: number) => void;
  /** Called when the command's batch is durable: now the answer may leave. */
  readonly release: () => void;
  /**
   * Called instead of the two others where another process writes: the command was accepted here
   * and not there.
   */
  readonly refuse?: (reason: LateRefusal) => void;
  /** Called before `capture` where another process has counted the order. */
  readonly counted?: (orders: CountedOrders) => void;
  readonly beside?: Beside;
  /** Whose command it is; absent where it need not be compared. */
  readonly passedOn?: PassedOn;
};

/** The queue of a command when many wait: cancels and prices have a reserve of their own. */
export type Lane = 'order' | 'reserve';

/** What the machine runs short of, so that orders are refused. */
export type Shortage = 'diskFull' | 'memoryShort';

/** Receives, on the trading thread, everything that is applied. It must not throw. */
export type ReplicaListener = {
  /**
   * The events of one command, or of the timers at the beginning of a batch. They are not durable
   * yet, and their records are live.
   */
  readonly onEvents: (events: readonly Event[]) => void;
  /** A batch is applied. Use `whenDurable` to wait for its sync. */
  readonly onApplied: () => void;
};

/** Measures the work of a replica, on the trading thread. It must not throw. */
export type ReplicaMeter = {
  /** A command was applied; the records in its outcome are live. */
  readonly onCommand: (command: Command, outcome: Outcome) => void;
  /** A batch is durable, this many milliseconds after the log received it. */
  readonly onBatch: (batch: {
    readonly commands: number;
    readonly bytes: number;
    readonly milliseconds: number;
  }) => void;
};

export type Replica = {
  /** The state as applied so far. Readers may look at it; only the replica may write it. */
  readonly exchange: Exchange;
  /** The views that are computed from the events, at the same point of the log. */
  readonly views: Views;
  /**
   * Queues a command. False: the command is definitely not executed, and `whyRefused` gives the
   * reason.
   */
  readonly submit: (command: Command, lane: Lane, waiter: Waiter) => boolean;
  /** Why a command of this lane has just been refused; `waiting`: another process writes. */
  readonly whyRefused: (lane: Lane) => Shortage | 'stopping' | 'overloaded' | 'waiting';
  /**
   * Calls back when everything that is applied now is durable, at once if it already is. It never
   * calls back after a command has broken the state or the log has failed.
   */
  readonly whenDurable: (release: () => void) => void;
  /**
   * Runs the task when the state has everything that was durable at the call, wherever it was
   * written; or says why it cannot. Absent where no other process writes.
   */
  readonly whenCurrent?: (
    task: () => void,
    refuse: (reason: 'waiting' | 'overloaded') => void,
  ) => void;
  /** There is one listener, the last. */
  readonly listen: (listener: ReplicaListener) => void;
  /** What placing this order or trigger would do now. It changes nothing (order/test). */
  readonly testOrder: (command: PlaceOrder | PlaceTrigger, look?: Look) => Tested;
  /** Position and hash of the last durable batch. */
  readonly head: () => { readonly position: number; readonly hash: string };
  /** Commands that wait for their batch; where another process writes, requests wait for it. */
  readonly waiting: () => number;
};

/** A replica as its program drives it. */
export type RunningReplica = Replica & {
  /** Call it several times a second: it moves the exchange's time when there is no traffic. */
  readonly tick: () => void;
  /** There is one meter, the last. */
  readonly measure: (meter: ReplicaMeter) => void;
  /** What is short, so that new orders are refused. */
  readonly shortage: () => Shortage | undefined;
  /**
   * The time that a batch would get now: the clock's time, or the last batch's if the clock was set
   * back.
   */
  readonly now: () => number;
  /** What the replica has applied, durable or not. */
  readonly figures: () => Figures;
  /** Resolves when everything submitted so far is applied, durable and released. */
  readonly drain: () => Promise<void>;
  /** Stops accepting commands and releasing answers, whatever becomes durable later. */
  readonly stop: () => void;
};
