// What a replica holds: the engine's state, the views beside it, and its position in the log. It
// also holds figures that cost O(1) a command. With them two replicas can be compared at every
// position without comparing their states.

import type { Engine } from '../engine/engine.ts';
import type { Event } from '../engine/event.ts';
import type { Exchange } from '../engine/exchange.ts';
import type { LogHead } from '../log/log.ts';
import { createViews, type Views } from '../market-data/views.ts';
import { assert } from '../std/assert.ts';
import { createHash64, type Hash, hashHex } from '../std/hash.ts';
import type { EngineRange, Engines } from './engines.ts';

export type ReplicaState = {
  /** The engine that ran the last batch; before the first batch, the present engine. */
  engine: Engine;
  readonly engines: Engines;
  /** The engines that ran the log so far, oldest first; empty before the first batch. */
  ran: readonly EngineRange[];
  /** From the activation of an engine on, the exchange and the views are other objects. */
  exchange: Exchange;
  views: Views;
  /** The last batch applied. */
  position: number;
  /** The time of that batch: the exchange's time. */
  time: number;
  /** Over every event since the log's first batch. */
  readonly eventHash: Hash;
  /** Commands passed since the log's first batch, skipped ones included. */
  commands: number;
  /** Events since the log's first batch. */
  events: number;
  /** Receives the events of every step; undefined when there is no listener. */
  onEvents?: ((events: readonly Event[]) => void) | undefined;
  /** A second listener, which does not know the first one: the rows of reports. */
  onEventsToo?: ((events: readonly Event[]) => void) | undefined;
};

/**
 * The position and figures of a replica, in a form that crosses threads. `sameFigures` compares
 * two.
 */
export type Figures = {
  readonly position: number;
  readonly eventHash: string;
  readonly commands: number;
  readonly events: number;
};

/** A replica before the log's first batch. */
export function createReplicaState(chainId: number, engines: Engines): ReplicaState {
  const { engine } = engines.present;
  return {
    engine,
    engines,
    ran: [],
    exchange: engine.createExchange(chainId),
    views: createViews(),
    position: 0,
    time: 0,
    eventHash: createHash64(),
    commands: 0,
    events: 0,
  };
}

/** The hash of the engine that ran the last batch; '' before the first. */
export function engineHashOf({ ran }: Readonly<ReplicaState>): string {
  return ran.at(-1)?.hash ?? '';
}

/** That engine runs the log's first batch, so there is no state to hand over. */
export function beginEngine(state: ReplicaState, hash: string): void {
  assert(state.position === 0 && state.ran.length === 0, 'a log begins once');
  state.ran = [{ hash, from: 1 }];
  if (hash === state.engines.present.hash) return;
  state.engine = state.engines.of(hash);
  state.exchange = state.engine.createExchange(state.exchange.chainId);
}

export function figuresOf(state: Readonly<ReplicaState>): Figures {
  const { position, commands, events } = state;
  return { position, eventHash: hashHex(state.eventHash), commands, events };
}

/** Whether two replicas at the same position have seen the same. */
export function sameFigures(one: Figures, other: Figures): boolean {
  return (
    one.position === other.position &&
    one.eventHash === other.eventHash &&
    one.commands === other.commands &&
    one.events === other.events
  );
}

/** The part of a log's head that readers outside the log receive. */
export function shownHead(head: LogHead): { readonly position: number; readonly hash: string } {
  return { position: head.position, hash: head.hash.toString('hex') };
}
