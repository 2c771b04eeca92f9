// The port of a replica as its readers and writers see it: an engine that the log drives. How it is
// built and run stands in createReplica.ts.

import type { Tested } from '../engine/apply.ts';
import type { Command, PlaceOrder, PlaceTrigger } from '../engine/command.ts';
import type { Event } from '../engine/event.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Exchange } from '../engine/views/exchange.ts';
import type { Views } from '../market-data/views.ts';
import type { Figures } from './replicaState.ts';

/**
 * Who waits for the outcome of one command. Both are called at most once, on the trading thread.
 */
export type Waiter = {
  /**
   * Right after the command was applied: copy what the answer needs, the records are live. `work`
   * is what the command cost the engine, in units (ORD-14).
   */
  readonly capture: (outcome: Outcome, work: number) => void;
  /** When the command's batch is durable: now the answer may leave. */
  readonly release: () => void;
};

/** Where a command queues when many wait: cancels and prices keep a reserve of their own. */
export type Lane = 'order' | 'reserve';

/** What the machine runs short of, so that orders are refused. */
export type Shortage = 'diskFull' | 'memoryShort';

/** Who hears, on the trading thread, of everything that is applied. It must not throw. */
export type ReplicaListener = {
  /**
   * What one command did, or the timers at the begin of a batch. Not durable yet, and the records
   * in the events are live.
   */
  readonly onEvents: (events: readonly Event[]) => void;
  /** A batch is applied, and `whenDurable` waits for it. */
  readonly onApplied: () => void;
};

/** Who measures what a replica does, on the trading thread. It must not throw. */
export type ReplicaMeter = {
  /** A command was applied; the records in its outcome are live. */
  readonly onCommand: (command: Command, outcome: Outcome) => void;
  /** A batch is durable, so many milliseconds after it was handed to the log. */
  readonly onBatch: (batch: {
    readonly commands: number;
    readonly bytes: number;
    readonly milliseconds: number;
  }) => void;
};

export type Replica = {
  /** The state as applied so far. Readers may look, nobody but the replica may write. */
  readonly exchange: Exchange;
  /** What was made of the events, as of the same point of the log. */
  readonly views: Views;
  /**
   * Queues a command. False: the command is definitely not executed, and `whyRefused` says why.
   */
  readonly submit: (command: Command, lane: Lane, waiter: Waiter) => boolean;
  /** Why a command of this lane has just been refused. */
  readonly whyRefused: (lane: Lane) => Shortage | 'stopping' | 'overloaded';
  /**
   * Calls back when everything applied by now is durable: at once when it already is, never once a
   * command has torn the state or the log has failed.
   */
  readonly whenDurable: (release: () => void) => void;
  /** There is one listener, the last. */
  readonly listen: (listener: ReplicaListener) => void;
  /** What placing this order or trigger would do now; changes nothing (order/test). */
  readonly testOrder: (command: PlaceOrder | PlaceTrigger) => Tested;
  /** Position and hash of the last durable batch. */
  readonly head: () => { readonly position: number; readonly hash: string };
  /** Commands that wait for their batch. */
  readonly waiting: () => number;
};

/** A replica as the program that built it drives it. */
export type RunningReplica = Replica & {
  /** To be called several times a second: keeps the exchange's time going without traffic. */
  readonly tick: () => void;
  /** There is one meter, the last. */
  readonly measure: (meter: ReplicaMeter) => void;
  /** What is short, so that new orders are refused. */
  readonly shortage: () => Shortage | undefined;
  /** The time that a batch would get now: the clock's, which may be set back, or the last one's. */
  readonly now: () => number;
  /** What the replica has applied, durable or not. */
  readonly figures: () => Figures;
  /** Resolves when everything submitted by now has been applied, made durable and released. */
  readonly drain: () => Promise<void>;
  /** Takes nothing more and releases nothing more, whatever becomes durable. */
  readonly stop: () => void;
};
