// The attackers of the hostile benchmark, a separate process: requests, frames or nothing at all
// over some connections of one address, as fast as the server takes them, for a given time.

import { connect, type Socket } from 'node:net';
import { frameOf } from '../fuzz/framesTarget.ts';

export type HostilePlan = {
  readonly port: number;
  /** The source address of the connections, in the loopback network. */
  readonly from: string;
  readonly connections: number;
  readonly milliseconds: number;
  /**
   * ask: a text, its answer, the next text. flood: texts whose answers are not read. idle:
   * connections that send nothing. frames: a socket at `path` that sends the texts in turn, each
   * after an answer. deaf: a socket that sends all of them and then reads nothing.
   */
  readonly way: 'ask' | 'flood' | 'idle' | 'frames' | 'deaf';
  readonly path: string;
  /** Latin1; whole HTTP requests, or the contents of frames. */
  readonly texts: readonly string[];
};

export type HostileResult = {
  readonly sent: number;
  /** Counts by status; for sockets by the first byte of closing frames, or `frame`. */
  readonly heard: Readonly<Record<string, number>>;
  /** Connections that were opened, and those that the server refused or ended. */
  readonly opened: number;
  readonly ended: number;
};

type Run = {
  readonly plan: HostilePlan;
  readonly texts: readonly Buffer[];
  next: number;
  sent: number;
  opened: number;
  ended: number;
  stopped: boolean;
  readonly heard: Record<string, number>;
  readonly sockets: Set<Socket>;
};

/** The wait before a connection that the server ended is opened again. */
const againMs = 20;

function open(run: Run): void {
  if (run.stopped) return;
  const { port, from, way } = run.plan;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
  run.sockets.add(socket);
  socket.on('error', () => {});
  socket.on('connect', () => {
    run.opened += 1;
    begin(run, socket);
  });
  socket.on('close', () => {
    run.sockets.delete(socket);
    run.ended += 1;
    if (way !== 'idle') setTimeout(() => open(run), againMs);
  });
}

function begin(run: Run, socket: Socket): void {
  const { way } = run.plan;
  if (way === 'idle') return;
  if (way === 'flood') {
    socket.pause();
    say(run, socket);
    return;
  }
  if (way === 'ask') ask(run, socket);
  else speak(run, socket);
}

function say(run: Run, socket: Socket): void {
  if (run.stopped || socket.destroyed) return;
  run.sent += 1;
  socket.write(run.texts[run.next]!);
  run.next = (run.next + 1) % run.texts.length;
}

function note(run: Run, what: string): void {
  run.heard[what] = (run.heard[what] ?? 0) + 1;
}

/** One request at a time is under way, so the next bytes are its answer. */
function ask(run: Run, socket: Socket): void {
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
    const head = heard.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/^content-length: (\d+)/im.exec(heard.slice(0, head))?.[1] ?? 0);
    if (heard.length < head + 4 + length) return;
    note(run, heard.slice(9, 12));
    heard = '';
    say(run, socket);
  });
  say(run, socket);
}

function speak(run: Run, socket: Socket): void {
  const { path, way } = run.plan;
  let ready = false;
  socket.on('data', (chunk) => {
    if (ready) {
      note(run, chunk[0] === 0x88 ? 'closing' : 'frame');
      say(run, socket);
      return;
    }
    ready = true;
    note(run, chunk.toString('latin1', 9, 12));
    if (way === 'deaf') {
      for (let i = 0; i < run.texts.length; i += 1) say(run, socket);
      socket.pause();
    } else say(run, socket);
  });
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
}

async function attack(plan: HostilePlan): Promise<HostileResult> {
  const frames = plan.way === 'frames' || plan.way === 'deaf';
  const bytes = plan.texts.map((text) => Buffer.from(text, 'latin1'));
  const run: Run = {
    plan,
    texts: frames ? bytes.map((payload) => frameOf({ payload })) : bytes,
    ...{ next: 0, sent: 0, opened: 0, ended: 0, stopped: false },
    heard: {},
    sockets: new Set(),
  };
  for (let i = 0; i < plan.connections; i += 1) open(run);
  await new Promise((resolve) => setTimeout(resolve, plan.milliseconds));
  run.stopped = true;
  const { sent, heard, opened, ended } = run;
  const result = { sent, heard: { ...heard }, opened, ended };
  for (const socket of run.sockets) socket.destroy();
  return result;
}

process.on('message', (plan: HostilePlan) => {
  attack(plan).then(
    (result) => process.send!(result),
    (error) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
// Its start is no part of the attack.
process.send!('ready');
// It ends with the benchmark.
process.on('disconnect', () => process.exit(0));
