// Clients of bytes for the target of cost. Each sends requests unchanged over one connection, opens
// it again when the server has closed it, and counts what it receives.

import { connect, type Socket } from 'node:net';

/** The result of requests that were sent together. */
export type Sent = {
  readonly requests: number;
  /** Answers with each status; 0 stands for a connection that ended without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Connections that were opened for them. */
  readonly connections: number;
  /** All sent bytes, and those of heads and first lines alone. */
  readonly bytesOut: number;
  readonly headBytes: number;
  /** The lines of the heads behind their first ones. */
  readonly headLines: number;
  readonly bytesIn: number;
  /** The weight used between the first and the last answer; undefined: not reported. */
  readonly weight: number | undefined;
  /** Closes what the requests have left open; the end of a connection is not measured. */
  readonly close?: () => void;
};

export type Answered = { readonly status: number; readonly weight: number | undefined };

export type WireClient = {
  /**
   * Sends the bytes and resolves with that many answers, or fewer when the server ended the
   * connection.
   */
  readonly ask: (bytes: Buffer, answers?: number) => Promise<readonly Answered[]>;
  /** The next bytes use a new connection. */
  readonly renew: () => void;
  readonly connections: () => number;
  readonly bytesIn: () => number;
  readonly close: () => void;
};

/** Longer than the worst known request; a request that takes longer counts as unanswered. */
const patienceMs = 180_000;

export function openWireClient(port: number, host = '127.0.0.1'): WireClient {
  let line: Line | undefined;
  let connections = 0;
  let bytesIn = 0;
  const renew = (): void => {
    line?.socket.destroy();
    line = undefined;
  };
  return {
    ask: async (bytes, answers = 1) => {
      if (line === undefined || line.ended) {
        connections += 1;
        line = await openLine(port, host);
      }
      const heard = await askLine(line, bytes, answers);
      bytesIn += heard.reduce((sum, { size }) => sum + size, 0);
      return heard;
    },
    renew,
    connections: () => connections,
    bytesIn: () => bytesIn,
    close: renew,
  };
}

type Line = { readonly socket: Socket; ended: boolean; rest: Buffer; wake: () => void };

function openLine(port: number, host: string): Promise<Line> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, noDelay: true });
    const line: Line = { socket, ended: false, rest: Buffer.alloc(0), wake: () => {} };
    socket.on('connect', () => resolve(line));
    // A server that answered and closed resets what still arrives.
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      line.ended = true;
      line.wake();
      resolve(line);
    });
    socket.on('data', (chunk) => {
      line.rest = line.rest.length === 0 ? chunk : Buffer.concat([line.rest, chunk]);
      line.wake();
    });
  });
}

type Heard = Answered & { readonly size: number };

function askLine(line: Line, bytes: Buffer, answers: number): Promise<readonly Heard[]> {
  return new Promise((resolve) => {
    const heard: Heard[] = [];
    const finish = (): void => {
      clearTimeout(patience);
      line.wake = () => {};
      resolve(heard);
    };
    const patience = setTimeout(() => {
      line.socket.destroy();
      finish();
    }, patienceMs);
    line.wake = () => {
      for (;;) {
        const answer = takeAnswer(line);
        if (answer === undefined) break;
        if (answer.status >= 200 || answer.status === 101) heard.push(answer);
      }
      if (heard.length >= answers || line.ended) finish();
    };
    line.socket.write(bytes);
    line.wake();
  });
}

const headEnd = Buffer.from('\r\n\r\n');

/** Takes the first whole answer from the received bytes. */
function takeAnswer(line: Line): Heard | undefined {
  const head = line.rest.indexOf(headEnd);
  if (head < 0) return undefined;
  const text = line.rest.toString('latin1', 0, head + 2);
  const status = Number(text.slice(9, 12));
  const bare = status < 200 || status === 204 || status === 304;
  const length = bare ? 0 : Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  const size = head + headEnd.length + length;
  if (line.rest.length < size) return undefined;
  line.rest = line.rest.subarray(size);
  const weight = /^x-mbx-used-weight-1m: (\d+)/im.exec(text)?.[1];
  return { status, weight: weight === undefined ? undefined : Number(weight), size };
}

/** How a burst of HTTP requests is sent. */
export type Sending = {
  /** Each sends a part of the requests; all send at the same time. */
  readonly clients: readonly WireClient[];
  readonly requests: readonly Buffer[];
  /** A separate connection for each request. */
  readonly fresh: boolean;
  /** All of them in one write over one connection. */
  readonly pipelined: boolean;
};

export async function sendAll(sending: Sending): Promise<Sent> {
  const { clients, requests, fresh, pipelined } = sending;
  const statuses = new Map<number, number>();
  const [connections, bytesIn] = [opened(clients), heardBytes(clients)];
  const weights: number[] = [];
  const note = (answers: readonly Answered[], wanted: number): void => {
    for (const { status, weight } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (weight !== undefined) weights.push(weight);
    }
    const missing = wanted - answers.length;
    if (missing > 0) statuses.set(0, (statuses.get(0) ?? 0) + missing);
  };
  if (pipelined) {
    note(await clients[0]!.ask(Buffer.concat(requests), requests.length), requests.length);
  } else {
    const lane = async (client: WireClient, first: number): Promise<void> => {
      for (let at = first; at < requests.length; at += clients.length) {
        if (fresh) client.renew();
        note(await client.ask(requests[at]!), 1);
      }
    };
    await Promise.all(clients.map(lane));
  }
  return {
    requests: requests.length,
    statuses,
    connections: opened(clients) - connections,
    bytesOut: requests.reduce((sum, { length }) => sum + length, 0),
    headBytes: requests.reduce((sum, request) => sum + request.indexOf(headEnd), 0),
    headLines: requests.reduce((sum, request) => sum + headLinesOf(request), 0),
    bytesIn: heardBytes(clients) - bytesIn,
    weight: weightOf(weights),
  };
}

function headLinesOf(request: Buffer): number {
  return request.toString('latin1', 0, request.indexOf(headEnd)).split('\r\n').length - 1;
}

const opened = (clients: readonly WireClient[]): number =>
  clients.reduce((sum, { connections }) => sum + connections(), 0);

const heardBytes = (clients: readonly WireClient[]): number =>
  clients.reduce((sum, { bytesIn }) => sum + bytesIn(), 0);

/**
 * Of one request, by how far the figure rose over all; a new minute makes it too high or too low.
 */
function weightOf(weights: readonly number[]): number | undefined {
  if (weights.length < 2) return undefined;
  return (Math.max(...weights) - Math.min(...weights)) / (weights.length - 1);
}
