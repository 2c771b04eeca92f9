// The open sockets by client address and IPv6 /48, and which one gives way when all places are
// taken (WS-5).

import type { Duplex } from 'node:stream';
import { createClientCrowd } from '../clientCrowd.ts';

export type SocketCeilings = { readonly perAddress: number; readonly all: number };

export type SocketCounts = {
  /**
   * Counts a new socket until it closes, by the limit key of its client's address; false: it is
   * refused. It may take the place of another one, which is destroyed.
   */
  readonly take: (limitKey: string, stream: Duplex) => boolean;
};

export function createSocketCounts({ perAddress, all }: SocketCeilings): SocketCounts {
  const crowd = createClientCrowd<Duplex>({ perAddress });
  let open = 0;
  return {
    take: (limitKey, stream) => {
      if (crowd.whyFull(limitKey) !== undefined) return false;
      const client = crowd.add({ key: limitKey, isProxy: false }, stream);
      if (open >= all) {
        if (crowd.next() === client) {
          crowd.drop(client, stream);
          return false;
        }
        open -= 1;
        crowd.giveWay()?.destroy();
      }
      open += 1;
      stream.once('close', () => {
        if (!client.items.has(stream)) return;
        open -= 1;
        crowd.drop(client, stream);
      });
      return true;
    },
  };
}
