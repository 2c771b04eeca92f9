// The network between one process and one place of the database's servers: connections that can be
// cut, or stand still and arrive late.

import { connect, createServer, type Socket } from 'node:net';

export type Link = {
  readonly port: number;
  /** Every connection breaks, and no new one comes about. */
  readonly cut: () => void;
  /** Nothing arrives any more; what was sent meanwhile arrives after `mend`. */
  readonly hold: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** Forwards connections to the port of the loopback address that `target` gives at that moment. */
export async function openLink(target: () => number): Promise<Link> {
  const open = new Set<Socket>();
  let state: 'open' | 'cut' | 'held' = 'open';
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target(), '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.on('data', (bytes) => other.write(bytes));
      if (state === 'held') socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  const destroyAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    cut: () => {
      state = 'cut';
      destroyAll();
    },
    hold: () => {
      state = 'held';
      for (const socket of open) socket.pause();
    },
    mend: () => {
      state = 'open';
      for (const socket of open) socket.resume();
    },
    close: async () => {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
