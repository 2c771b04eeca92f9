// Ends the connections that no process of the deployment serves any more (COD-6), at the holder of
// the lease. It compares the state with the links again and again, so it can miss no event.

import { connectionsPerCommandMax } from '../engine/limits.ts';
import { armedConnections, type Exchange } from '../engine/views/exchange.ts';
import { lostTest, passTime, type ServedProcesses } from '../link/servedProcesses.ts';
import type { Replica } from '../replica/replica.ts';
import { stopwatchMs } from '../std/clock.ts';

/** A look costs about 20 ns for each armed connection. */
const lookEveryMs = 1000;

export type LostConnections = {
  /** The numbers of the armed connections that no process serves. */
  readonly among: (exchange: Exchange) => readonly number[];
  /** To be called several times a second; ends them. */
  readonly tick: (replica: Pick<Replica, 'exchange' | 'submit'>) => void;
};

export function createLostConnections(served: ServedProcesses): LostConnections {
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Commands that wait for their batch. */
  let ending = 0;
  const among = (exchange: Exchange): readonly number[] =>
    [...armedConnections(exchange)].filter(lostTest(served));
  const note = (): void => {
    ending -= 1;
  };
  return {
    among,
    tick: (replica) => {
      const nowMs = stopwatchMs();
      passTime(served, nowMs);
      if (ending > 0 || nowMs - lookedAt < lookEveryMs) return;
      lookedAt = nowMs;
      const lost = among(replica.exchange);
      for (let at = 0; at < lost.length; at += connectionsPerCommandMax) {
        const connections = lost.slice(at, at + connectionsPerCommandMax);
        const waiter = { capture: note, release: () => {} };
        // What is refused, or comes too late into the log, is found by a later look.
        if (!replica.submit({ kind: 'endConnections', connections }, 'reserve', waiter)) return;
        ending += 1;
      }
    },
  };
}
