// The listener of a process for links of the other processes. Strangers get a handshake of bounded
// cost, and nothing else.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createLink, type LinkOptions } from './createLink.ts';
import { identityOf, isProven, type LinkSecret, linkTls, whyFailed } from './linkSecret.ts';
import { admitStranger, createStrangers, endHandshake, type Strangers } from './strangers.ts';

export type ServeLink = Pick<LinkOptions, 'hello' | 'scheduler' | 'stopwatch'> & {
  /** undefined: it is not known yet, so no peer is a member. */
  readonly secret: () => LinkSecret | undefined;
  /** What happens on the link of a member. */
  readonly listen: () => Pick<LinkOptions, 'onOpen' | 'onMessage' | 'onEnd'>;
  readonly report: (message: string) => void;
  /** The name under which failures of an address count: an IPv6 network counts as one address. */
  readonly strangerOf: (address: string) => string;
};

export type LinkServer = {
  /** Resolves with the port. */
  readonly open: (at: { readonly host: string; readonly port: number }) => Promise<number>;
  /** Ends every link, with this sentence. */
  readonly close: (why: string) => Promise<void>;
};

const handshakeMs = 2000;
const reportEveryMs = 60_000;
/** The sentences whose time is kept. */
const reportsMax = 1000;

type Acceptor = {
  readonly options: ServeLink;
  readonly strangers: Strangers;
  /** Connections whose handshake is not done, by number. */
  readonly waiting: Map<number, Socket>;
  /** Their numbers, by the peer's address and port. */
  readonly numbers: Map<string, number>;
  readonly closers: Set<(why: string) => void>;
  readonly report: (address: string | undefined, why: string) => void;
  connections: number;
};

export function serveLink(options: ServeLink): LinkServer {
  const { secret } = options;
  const acceptor: Acceptor = {
    ...{ options, strangers: createStrangers(), report: reportSeldom(options), connections: 0 },
    ...{ waiting: new Map(), numbers: new Map(), closers: new Set() },
  };
  const tls = createTlsServer({
    ...linkTls,
    handshakeTimeout: handshakeMs,
    pskCallback: (_, asked) => {
      const known = secret();
      return known !== undefined && asked === identityOf(known) ? known.secret : null;
    },
  });
  tls.on('tlsClientError', (error, socket) => {
    acceptor.report(socket.remoteAddress, whyFailed(error));
    // The platform reports a handshake that takes too long, and leaves it open.
    socket.destroy();
  });
  tls.on('secureConnection', (socket) => welcome(acceptor, socket));
  const server = createServer((raw) => {
    if (admit(acceptor, raw)) tls.emit('connection', raw);
  });
  return {
    open: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    close: async (why) => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const close of [...acceptor.closers]) close(why);
      for (const raw of acceptor.waiting.values()) raw.destroy();
      await closed;
    },
  };
}

/** Whether this connection may begin its handshake. */
function admit(acceptor: Acceptor, raw: Socket): boolean {
  const { options, strangers, waiting, numbers } = acceptor;
  const address = raw.remoteAddress ?? '';
  const peer = peerOf(raw);
  acceptor.connections += 1;
  const connection = acceptor.connections;
  const stranger = { connection, address: options.strangerOf(address) };
  const admission = admitStranger(strangers, stranger, options.stopwatch());
  if (admission.kind === 'refuse') {
    raw.destroy();
    acceptor.report(address, 'too many of its handshakes have failed');
    return false;
  }
  if (admission.drop !== undefined) waiting.get(admission.drop)?.destroy();
  waiting.set(connection, raw);
  numbers.set(peer, connection);
  raw.setNoDelay(true);
  raw.on('error', () => {});
  raw.on('close', () => {
    if (numbers.get(peer) === connection) numbers.delete(peer);
    settle(acceptor, connection, false);
  });
  return true;
}

function settle(acceptor: Acceptor, connection: number, isMember: boolean): void {
  acceptor.waiting.delete(connection);
  endHandshake(acceptor.strangers, { connection, isMember }, acceptor.options.stopwatch());
}

/** The peer has proven the secret. */
function welcome(acceptor: Acceptor, socket: TLSSocket): void {
  const connection = acceptor.numbers.get(peerOf(socket));
  if (connection === undefined || !isProven(socket)) return void socket.destroy();
  settle(acceptor, connection, true);
  const events = acceptor.options.listen();
  const close = createLink(socket, {
    ...{ ...acceptor.options, ...events },
    onEnd: (why) => {
      acceptor.closers.delete(close);
      events.onEnd(why);
    },
  });
  acceptor.closers.add(close);
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** A reason is reported for an address once a minute. */
function reportSeldom({
  report,
  stopwatch,
}: ServeLink): (address: string | undefined, why: string) => void {
  const reported = new Map<string, number>();
  return (address, why) => {
    // A connection that is gone has no address, and nothing to report.
    if (address === undefined) return;
    const sentence = `a connection from ${address} to the link is refused: ${why}`;
    const nowMs = stopwatch();
    if (nowMs - (reported.get(sentence) ?? Number.NEGATIVE_INFINITY) < reportEveryMs) return;
    if (reported.size >= reportsMax) reported.clear();
    reported.set(sentence, nowMs);
    report(sentence);
  };
}
