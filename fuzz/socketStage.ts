// The exchange of httpStage.ts behind real sockets: it sends bytes unchanged, and gives everything
// that it receives until the connection is closed.

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { serveSockets } from '../src/gateway/sockets/serveSockets.ts';
import { type HttpStage, openHttpStage } from './httpStage.ts';

export type SocketStage = HttpStage & {
  /** Sends the pieces, ends its side, and gives everything received until the end. */
  readonly talk: (pieces: readonly Buffer[]) => Promise<Buffer>;
  /** Sockets that the server still has. */
  readonly socketsOpen: () => Promise<number>;
};

const patienceMs = 60_000;
const beatMs = 20;
/** The pause between two pieces. */
const pauseMs = 2;

export async function openSocketStage(seed: number): Promise<SocketStage> {
  const stage = await openHttpStage(seed);
  const { app, gateway } = stage.world;
  serveSockets(app.server, gateway);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ticking = setInterval(gateway.streams.tick, beatMs);
  return {
    ...stage,
    talk: (pieces) => talk(port, pieces),
    socketsOpen: () =>
      new Promise((resolve, reject) => {
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: async () => {
      clearInterval(ticking);
      gateway.streams.close();
      await stage.close();
    },
  };
}

async function talk(port: number, pieces: readonly Buffer[]): Promise<Buffer> {
  const heard: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  // A peer that has answered and closed resets what still arrives.
  socket.on('error', () => {});
  socket.on('data', (chunk) => heard.push(chunk));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  for (const [at, piece] of pieces.entries()) {
    if (socket.destroyed) break;
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    socket.write(piece);
  }
  socket.end();
  const patience = setTimeout(() => {
    socket.destroy(new Error('late'));
    heard.push(Buffer.from(lateMark));
  }, patienceMs);
  await closed;
  clearTimeout(patience);
  return Buffer.concat(heard);
}

/** Added to the received bytes when the server never closed. */
export const lateMark = '\nthe server did not close';
