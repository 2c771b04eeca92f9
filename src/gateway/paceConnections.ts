// The pace of one connection: how much of what it sends is read in one turn of the event loop, how
// many of its requests are served in one, and when it has to read its answers first. What exceeds
// that waits, and the connection is not read meanwhile: pipelining works, only more slowly.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freeReceived } from '../std/bytes.ts';
import { stopwatchMs } from '../std/clock.ts';
import type { ConnectionBounds } from './connectionBounds.ts';
import type { ConnectionClient, ConnectionClients } from './connectionClients.ts';
import { isForgotten } from './forgetRest.ts';
import { createRefusalPace, type RefusalPace } from './refusalPace.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

type Lane = {
  readonly socket: Socket;
  readonly client: ConnectionClient;
  /** The platform's reader of requests. */
  readonly parse: (bytes: Buffer) => void;
  /** Hears no more of the socket. */
  readonly detach: () => void;
  /** Requests that wait for their turn, oldest first. */
  readonly waiting: [IncomingMessage, ServerResponse][];
  /** Answers that have not left whole, oldest first. */
  readonly open: ServerResponse[];
  /** What came and has not been read as requests yet. */
  rest: Buffer | undefined;
  /** The memory of `rest`, where it is too much to be parsed in one turn. */
  received: Buffer | undefined;
  /** The turn in which it was served last, and how often in it. */
  turn: number;
  served: number;
  /** The socket is not read, because of what waits here. */
  held: boolean;
  /** It has heard that it is over a limit, and waits for its next slot. */
  slowed: boolean;
  scheduled: boolean;
  /** Nothing more of it is understood: it has become a socket of messages, or sent nonsense. */
  ended: boolean;
  /** The answer that was the oldest at the last look, and when it first was. */
  oldest: ServerResponse | undefined;
  oldestSince: number;
};

export type PaceOptions = {
  readonly handle: Handle;
  readonly bounds: ConnectionBounds;
  readonly clients: ConnectionClients;
};

type Pace = PaceOptions & {
  readonly refusals: RefusalPace;
  readonly lanes: WeakMap<Socket, Lane>;
  /** Those with answers that have not left whole. */
  readonly busy: Set<Lane>;
  /** Connections, those that became sockets among them. */
  count: number;
  turn: number;
  turning: boolean;
};

/** Looks at who does not read within the time that a connection has to read one answer. */
const looksPerAnswer = 24;

/**
 * Gives what the server is to call for each request; `handle` hears of it when its turn has come.
 * A request without a connection of this server is handed over at once.
 */
export function paceConnections(server: Server, options: PaceOptions): Handle {
  const { bounds } = options;
  const pace: Pace = {
    ...options,
    refusals: createRefusalPace(),
    lanes: new WeakMap(),
    busy: new Set(),
    count: 0,
    turn: 0,
    turning: false,
  };
  server.timeout = bounds.stalledMs;
  server.on('connection', (socket: Socket) => openLane(pace, socket));
  server.on('drop', () => {
    options.clients.figures.refused.all += 1;
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => handOn(pace, socket));
  server.on('clientError', (_error: Error, socket: Socket) => endLane(pace, socket));
  server.on('timeout', (socket: Socket) => endStalled(pace, socket));
  let looking: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    const everyMs = bounds.readWithinMs / looksPerAnswer;
    looking = setInterval(() => cutSlowReaders(pace, stopwatchMs()), everyMs).unref();
  });
  server.on('close', () => clearInterval(looking));
  return (request, response) => take(pace, request, response);
}

/** The listeners of upgrades that `paceConnections` itself adds. */
export const paceUpgradeListeners = 1;

function openLane(pace: Pace, socket: Socket): void {
  // The platform's listener, which is there before this one.
  const [parse] = socket.listeners('data');
  if (parse === undefined || socket.destroyed) return;
  const client = pace.clients.take(socket);
  if (client === undefined) {
    socket.destroy();
    return;
  }
  const lane: Lane = {
    socket,
    client,
    parse: parse.bind(socket) as Lane['parse'],
    detach: () => socket.off('data', onData).off('resume', onResume),
    waiting: [],
    open: [],
    rest: undefined,
    received: undefined,
    turn: 0,
    served: 0,
    held: false,
    slowed: false,
    scheduled: false,
    ended: false,
    oldest: undefined,
    oldestSince: 0,
  };
  const onData = (bytes: Buffer): void => {
    if (lane.ended || isForgotten(socket)) return;
    receive(pace, lane, bytes);
    if (!lane.held) readPiece(pace, lane);
  };
  const onResume = (): void => {
    // The platform reads on, for a body or because answers have left: not before it is our turn.
    if (lane.ended || !lane.held || isForgotten(socket)) return;
    socket.pause();
    schedule(pace, lane);
  };
  pace.lanes.set(socket, lane);
  socket.off('data', parse as Lane['parse']);
  socket.on('data', onData).on('resume', onResume);
  admit(pace, lane);
  socket.once('close', () => {
    pace.count -= 1;
    pace.busy.delete(lane);
    pace.clients.drop(client, socket);
  });
}

/** When there is no room for one more, an idle connection gives way, the new one too if need be. */
function admit(pace: Pace, { socket }: Lane): void {
  const { bounds, clients } = pace;
  pace.count += 1;
  if (pace.count < bounds.all) return;
  const gone = clients.giveWay();
  if (gone === socket) clients.figures.refused.all += 1;
  else if (gone !== undefined) clients.figures.evicted += 1;
  gone?.destroy();
}

function receive({ bounds }: Pace, lane: Lane, bytes: Buffer): void {
  const { rest } = lane;
  const whole = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
  if (rest !== undefined) {
    dropRest(lane);
    freeReceived(bytes);
  }
  lane.rest = whole;
  if (whole.length > bounds.bytesPerTurn) lane.received = whole;
}

/** Reads the next piece; what it asks comes to `take`. */
function readPiece(pace: Pace, lane: Lane): void {
  const { rest, received } = lane;
  const { bytesPerTurn } = pace.bounds;
  if (rest !== undefined) {
    // A copy of its own, so that what is parsed does not keep all that was received.
    const piece = received === undefined ? rest : Buffer.from(rest.subarray(0, bytesPerTurn));
    if (rest.length > bytesPerTurn) lane.rest = rest.subarray(bytesPerTurn);
    else dropRest(lane);
    lane.parse(piece);
  }
  settle(pace, lane);
}

/** What was received has been parsed, or will not be. */
function dropRest(lane: Lane): void {
  if (lane.received !== undefined) freeReceived(lane.received);
  lane.rest = undefined;
  lane.received = undefined;
}

/** Holds the connection while something waits here, and lets it go when nothing does. */
function settle(pace: Pace, lane: Lane): void {
  const { socket, waiting, rest, held } = lane;
  if (lane.ended || socket.destroyed) return;
  if (isForgotten(socket)) endLane(pace, socket);
  else if (waiting.length > 0 || rest !== undefined || lane.slowed) {
    lane.held = true;
    if (!held) socket.pause();
    // One that must wait goes on when an answer has left, or with its slot.
    if (!lane.slowed && (waiting.length === 0 || !mustWait(pace, lane))) schedule(pace, lane);
  } else if (held) {
    lane.held = false;
    if (!platformWaits(socket)) socket.resume();
  }
}

/** Whether the platform itself reads nothing: an answer or a body waits to be taken. */
function platformWaits(socket: Socket): boolean {
  const { _paused: paused, parser } = socket as Socket & {
    readonly _paused?: boolean;
    readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  };
  if (paused === true) return true;
  const body = parser?.incoming;
  return body != null && !body.complete && body.readableLength >= body.readableHighWaterMark;
}

function schedule(pace: Pace, lane: Lane): void {
  if (lane.scheduled) return;
  lane.scheduled = true;
  setImmediate(() => {
    lane.scheduled = false;
    goOn(pace, lane);
  });
}

function goOn(pace: Pace, lane: Lane): void {
  const { socket, waiting } = lane;
  if (socket.destroyed) return;
  while (waiting.length > 0 && hasTurn(pace, lane) && !mustWait(pace, lane)) {
    serve(pace, lane, ...waiting.shift()!);
  }
  if (lane.ended) {
    if (waiting.length > 0 && !mustWait(pace, lane)) schedule(pace, lane);
    return;
  }
  // It goes on when the platform does: a paused reader takes nothing.
  if (
    waiting.length === 0 &&
    !lane.slowed &&
    (socket as { readonly _paused?: boolean })._paused !== true
  ) {
    readPiece(pace, lane);
  } else settle(pace, lane);
}

function take(pace: Pace, request: IncomingMessage, response: ServerResponse): void {
  // It came behind a body that is not read, and is never answered (AUTH-10).
  if (isForgotten(request.socket)) return;
  const lane = pace.lanes.get(request.socket);
  if (lane === undefined) {
    pace.handle(request, response);
  } else if (lane.waiting.length === 0 && hasTurn(pace, lane) && !mustWait(pace, lane)) {
    serve(pace, lane, request, response);
  } else lane.waiting.push([request, response]);
}

function serve(pace: Pace, lane: Lane, request: IncomingMessage, response: ServerResponse): void {
  const { open } = lane;
  lane.served += 1;
  if (open.length === 0) {
    pace.clients.noteBusy(lane.client, lane.socket);
    pace.busy.add(lane);
  }
  open.push(response);
  let slowed = false;
  const slowOnce = (): void => {
    if (slowed || response.statusCode !== 429) return;
    slowed = true;
    slowDown(pace, lane);
  };
  response.on('close', () => {
    open.splice(open.indexOf(response), 1);
    if (open.length === 0) {
      pace.busy.delete(lane);
      // One that has become a socket of messages is no idle connection.
      if (!lane.socket.destroyed && !lane.ended) pace.clients.noteIdle(lane.client, lane.socket);
    }
    slowOnce();
    if (lane.waiting.length > 0) schedule(pace, lane);
  });
  pace.handle(request, response);
  slowOnce();
}

/**
 * A connection that was refused for a limit is not read until its client's next slot (CON-6). A
 * proxy carries the requests of others, who would wait, too.
 */
function slowDown(pace: Pace, lane: Lane): void {
  const { client } = lane;
  if (client.isProxy || lane.slowed) return;
  lane.slowed = true;
  const goOnReading = (): void => {
    lane.slowed = false;
    schedule(pace, lane);
  };
  setTimeout(goOnReading, pace.refusals.note(client.key, stopwatchMs())).unref();
}

/** Whether it may be served once more in this turn of the event loop. */
function hasTurn(pace: Pace, lane: Lane): boolean {
  if (!pace.turning) {
    pace.turning = true;
    setImmediate(() => {
      pace.turn += 1;
      pace.turning = false;
    });
  }
  if (lane.turn !== pace.turn) {
    lane.turn = pace.turn;
    lane.served = 0;
  }
  return lane.served < pace.bounds.requestsPerTurn;
}

/** Until it has read its answers, or for its slot. */
function mustWait({ bounds }: Pace, lane: Lane): boolean {
  const { open, slowed } = lane;
  if (slowed) return true;
  return open.length >= bounds.openRequests || unreadBytes(lane) >= bounds.unreadBytes;
}

/** Bytes of answers that this process still holds. */
function unreadBytes({ socket, open }: Lane): number {
  let bytes = socket.writableLength;
  // The first writes through the socket; the others wait for it.
  for (let i = 1; i < open.length; i += 1) bytes += open[i]!.writableLength;
  return bytes;
}

/** The socket becomes one of messages: what was not read goes to its new reader. */
function handOn(pace: Pace, socket: Socket): void {
  const lane = pace.lanes.get(socket);
  socket.setTimeout(0);
  if (lane === undefined) return;
  lane.ended = true;
  pace.clients.noteBusy(lane.client, socket);
  lane.detach();
  if (lane.rest !== undefined) socket.unshift(lane.rest);
  lane.rest = undefined;
  lane.received = undefined;
}

function endLane(pace: Pace, socket: Socket): void {
  const lane = pace.lanes.get(socket);
  if (lane === undefined) return;
  lane.ended = true;
  dropRest(lane);
}

/** No byte has moved for `stalledMs`: the peer does not read, or it has nothing to say. */
function endStalled({ lanes, bounds }: Pace, socket: Socket): void {
  const lane = lanes.get(socket);
  // Our turn: what it has asked is still being answered.
  if (lane !== undefined && lane.open.length > 0 && unreadBytes(lane) === 0) {
    socket.setTimeout(bounds.stalledMs);
  } else socket.destroy();
}

/** Cuts those that read an answer for too long, and the largest when all together hold too much. */
function cutSlowReaders({ busy, bounds }: Pace, now: number): void {
  let held = 0;
  const slow: { readonly lane: Lane; readonly bytes: number }[] = [];
  for (const lane of busy) {
    const bytes = unreadBytes(lane);
    const oldest = bytes === 0 ? undefined : lane.open[0];
    if (lane.oldest !== oldest) lane.oldestSince = now;
    lane.oldest = oldest;
    if (oldest !== undefined && now - lane.oldestSince >= bounds.readWithinMs) {
      lane.socket.destroy();
    } else if (bytes > 0) {
      held += bytes;
      slow.push({ lane, bytes });
    }
  }
  if (held <= bounds.unreadBytesAll) return;
  slow.sort((a, b) => b.bytes - a.bytes);
  for (const { lane, bytes } of slow) {
    if (held <= bounds.unreadBytesAll / 2) return;
    held -= bytes;
    lane.socket.destroy();
  }
}
