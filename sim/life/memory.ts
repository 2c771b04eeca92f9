// What is remembered of the program from outside it, over all its lives: up to which batch it has
// promised that everything is durable, and what its state was at each. Held against what comes back
// after every kill: an answer that left must never have been made of what is lost.

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
  /** Every answer that left was made of batches up to here. */
  promised: number;
  /** Hex, by position: the hash of all events up to there as the program applied them. */
  readonly eventHashes: string[];
  /** The whole state of the program that died last. */
  last: Hashes | undefined;
  /** The replica as the gateway gets it: what leaves through it is noted. */
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
