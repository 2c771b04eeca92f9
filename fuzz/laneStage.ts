// Two listeners that differ in one thing: one has the fast lane. Both get the same bytes, cut at
// the same places, over streams in memory, which keep the cuts. What their clients hear, and what
// their handlers see, must be equal.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Answer } from '../src/api/operation.ts';
import { createServer } from '../src/gateway/createServer.ts';
import type { Handlers } from '../src/gateway/handlers.ts';
import { type IncomingRequest, readHeaderNames } from '../src/gateway/incomingRequest.ts';
import type { ParseRequest } from '../src/gateway/lane/parseRequest.ts';
import { bodyBytesMax } from '../src/gateway/readBody.ts';
import { unseenUsage } from '../src/gateway/responder.ts';

/** Bytes in pieces, and how many turns of the event loop pass before each. */
export type LaneCase = {
  readonly pieces: readonly { readonly bytes: Buffer; readonly turns: number }[];
  /** The client takes its answers only in later turns. */
  readonly slow: boolean;
  /** The client ends its side when it has its answers; before, whether they leave is chance. */
  readonly ends: boolean;
};

/** `body`: undefined until it was read, or refused. */
export type Seen = { readonly head: string; body: string | undefined };

export type Heard = {
  /** The requests that the handler saw, in their order. */
  readonly seen: readonly Seen[];
  /** What the client got, without what is chance. */
  readonly text: string;
  readonly ended: boolean;
};

export type LaneListener = { readonly talk: (given: LaneCase) => Promise<Heard> };

/** Turns without news after which nothing more comes. */
const quietTurns = 12;
const lateTurns = 3;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** `parseInLane`: how it reads its lane, if not as usual. */
export function openLaneListener(parseInLane?: ParseRequest): LaneListener {
  let seen: Seen[] = [];
  let waiting = 0;
  const later = (turns: number, step: () => void): void => {
    waiting += 1;
    let left = turns;
    const wait = (): void => {
      left -= 1;
      if (left > 0) setImmediate(wait);
      else {
        waiting -= 1;
        step();
      }
    };
    setImmediate(wait);
  };
  const note = (head: string): Seen => {
    const request: Seen = { head, body: undefined };
    seen.push(request);
    return request;
  };
  const handler = createHandler(note, later);
  const handlers: Handlers = {
    clock: { now: () => 1_750_000_000_000 },
    onFault: () => {},
    byRoute: [handler],
    refusals: { pathUnknown: handler, requestMalformed: handler, internal: handler },
  };
  const rows = [{ method: 'GET', path: '/fapi/v1/now' } as const];
  const { server } = createServer(handlers, rows, parseInLane && { parseInLane });
  return {
    talk: async (given) => {
      seen = [];
      const client = openClient(server, given.slow);
      for (const { bytes, turns } of given.pieces) {
        for (let i = 0; i < turns; i += 1) await turn();
        // A copy: a listener frees what it has read.
        client.send(Buffer.from(bytes));
      }
      const settle = async (): Promise<void> => {
        let quiet = 0;
        let before = '';
        while (quiet < quietTurns) {
          await turn();
          const now = `${seen.length} ${client.heardBytes()} ${waiting}`;
          quiet = waiting === 0 && now === before ? quiet + 1 : 0;
          before = now;
        }
      };
      await settle();
      if (given.ends) {
        client.send(null);
        await settle();
      }
      const text = client.heard().replace(dates, '\r\nDate: then').replace(laterContinues, '');
      const heard = { seen, text, ended: client.ended() };
      client.close();
      await turn();
      return heard;
    },
  };
}

const dates = /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT(?=\r\n)/g;

/** Whether a client is asked to go on depends on whether an earlier answer has left by then. */
const laterContinues = /(?<=.)HTTP\/1\.1 100 Continue\r\n\r\n/gs;

/**
 * Answers by the target, in every way that a handler can: now or later, with a body read or not.
 */
function createHandler(
  note: (head: string) => Seen,
  later: (turns: number, step: () => void) => void,
): Handlers['byRoute'][number] {
  /** The listener gives them to its own refusal, which is this handler, too. */
  const thrown = new WeakSet<IncomingRequest>();
  return (incoming, responder) => {
    const { target, headers } = incoming;
    const usage = { ...unseenUsage, weight: target.length };
    // Whether the answer or an error in a chunk comes first would be chance.
    const isLate = target.includes('late') && headers['transfer-encoding'] === undefined;
    const answer = (sent: Answer): void => {
      if (isLate) later(lateTurns, () => responder.send(sent, usage));
      else responder.send(sent, usage);
    };
    if (thrown.has(incoming)) return responder.send({ status: 500, text: 'internal' }, usage);
    const request = note(describeHead(incoming));
    if (target.includes('throw')) {
      thrown.add(incoming);
      throw new Error('a handler failed');
    }
    if (target.includes('head')) return answer(answerOf(target));
    incoming.readBody(bodyBytesMax.fapi, (body) => {
      const isRefused = typeof body === 'string';
      request.body = typeof body === 'object' ? body.toString('latin1') : `${body}`;
      if (isRefused) responder.send({ status: 400, text: body }, usage);
      else answer(answerOf(target));
    });
  };
}

function describeHead({ method, target, peer, headers, params }: IncomingRequest): string {
  const read = readHeaderNames.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}=${headers[name]}`],
  );
  return JSON.stringify([method, target, peer, read, params]);
}

function answerOf(target: string): Answer {
  if (target.includes('empty')) return { status: 204, text: '' };
  if (target.includes('wide')) return { status: 200, text: '"☃ and ß"' };
  if (target.includes('large')) return { status: 200, text: 'x'.repeat(70_000) };
  if (target.includes('document')) return { status: 200, text: '{"a":1}', document: true };
  return { status: target.includes('now') ? 200 : 404, text: JSON.stringify(target) };
}

/** A connection of the server in memory. */
function openClient(server: Server, slow: boolean) {
  const heard: Buffer[] = [];
  let size = 0;
  let ended = false;
  const socket = new Duplex({
    allowHalfOpen: true,
    decodeStrings: false,
    read: () => {},
    write: (piece: Buffer | string, encoding, taken) => {
      const bytes = typeof piece === 'string' ? Buffer.from(piece, encoding) : piece;
      heard.push(bytes);
      size += bytes.length;
      if (slow) setImmediate(taken);
      else taken();
    },
    final: (done) => {
      ended = true;
      done();
    },
    destroy: (error, done) => {
      ended = true;
      done(error);
    },
  });
  Object.assign(socket, {
    remoteAddress: '192.0.2.1',
    timeout: 0,
    setTimeout: () => socket,
    // As of a socket.
    destroySoon: () => {
      if (socket.writable) socket.end();
      if (socket.writableFinished) socket.destroy();
      else socket.once('finish', () => socket.destroy());
    },
  });
  server.emit('connection', socket as Socket);
  return {
    send: (bytes: Buffer | null): void => {
      if (!socket.destroyed) socket.push(bytes);
    },
    heardBytes: () => size,
    heard: () => Buffer.concat(heard).toString('latin1'),
    ended: () => ended,
    close: () => socket.destroy(),
  };
}
