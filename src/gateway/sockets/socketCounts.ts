// How many sockets are open, in all and by client address (WS-5).

export type SocketCeilings = { readonly perAddress: number; readonly all: number };

export type SocketCounts = {
  readonly hasRoom: (client: string) => boolean;
  readonly opened: (client: string) => void;
  readonly closed: (client: string) => void;
};

export function createSocketCounts({ perAddress, all }: SocketCeilings): SocketCounts {
  const byAddress = new Map<string, number>();
  let open = 0;
  return {
    hasRoom: (client) => open < all && (byAddress.get(client) ?? 0) < perAddress,
    opened: (client) => {
      open += 1;
      byAddress.set(client, (byAddress.get(client) ?? 0) + 1);
    },
    closed: (client) => {
      open -= 1;
      const left = (byAddress.get(client) ?? 1) - 1;
      if (left === 0) byAddress.delete(client);
      else byAddress.set(client, left);
    },
  };
}
