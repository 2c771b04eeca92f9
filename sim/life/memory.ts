// What is remembered about the program outside of it, over all its starts: up to which batch it has
// promised that everything is durable, and its state at each batch. After every kill this is
// compared with the recovered state: an answer that left must never depend on data that is lost.

import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import type { Replica, RunningReplica } from '../../src/replica/replica.ts';
import type { ReplicaState } from '../../src/replica/replicaState.ts';
import { hashHex } from '../../src/std/hash.ts';

export type Hashes = {
  readonly position: number;
  readonly stateHash: string;
  readonly priceHash: string;
};

export type Memory = {
  /** Every answer that left depends on batches up to here. */
  promised: number;
  /** Hex, by position: the hash of all events up to there as the program applied them. */
  readonly eventHashes: string[];
  /** The whole state of the program that died last. */
  last: Hashes | undefined;
  /** The replica for the gateway; it records what leaves through it. */
  readonly watch: (replica: RunningReplica, state: ReplicaState) => Replica;
};

export function hashesOf({ position, exchange }: ReplicaState): Hashes {
  return { position, stateHash: stateHash(exchange), priceHash: priceHash(exchange) };
}

export function createMemory(): Memory {
  const memory: Memory = {
    promised: 0,
    eventHashes: [],
    last: undefined,
    watch: (replica, state) => {
      const promise = (position: number): void => {
        memory.promised = Math.max(memory.promised, position);
      };
      return {
        ...replica,
        submit: (command, lane, { capture, release }) => {
          let at = 0;
          return replica.submit(command, lane, {
            capture: (outcome, work) => {
              at = state.position;
              capture(outcome, work);
            },
            release: () => {
              promise(at);
              release();
            },
          });
        },
        whenDurable: (release) => {
          const at = state.position;
          replica.whenDurable(() => {
            promise(at);
            release();
          });
        },
        listen: (listener) =>
          replica.listen({
            onEvents: listener.onEvents,
            onApplied: () => {
              memory.eventHashes[state.position] = hashHex(state.eventHash);
              listener.onApplied();
            },
          }),
      };
    },
  };
  return memory;
}
