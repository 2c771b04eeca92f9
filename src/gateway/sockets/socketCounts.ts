// How many sockets are open, in all, by client address and by IPv6 /48 (WS-5).

import { createClientTally } from '../clientTally.ts';

export type SocketCeilings = { readonly perAddress: number; readonly all: number };

/** By the limit key of a client's address. */
export type SocketCounts = {
  readonly hasRoom: (client: string) => boolean;
  readonly opened: (client: string) => void;
  readonly closed: (client: string) => void;
};

export function createSocketCounts({ perAddress, all }: SocketCeilings): SocketCounts {
  const byClient = createClientTally({ perAddress });
  let open = 0;
  return {
    hasRoom: (client) => open < all && byClient.whyFull(client) === undefined,
    opened: (client) => {
      open += 1;
      byClient.add(client);
    },
    closed: (client) => {
      open -= 1;
      byClient.remove(client);
    },
  };
}
