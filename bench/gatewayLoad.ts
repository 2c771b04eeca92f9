// The load of the gateway's benchmark, a separate process: signed orders, made before the clock
// starts, over keep-alive connections. Closed loop: each connection waits for its answer. Open
// loop: orders have planned times, and latency counts from the planned time.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type LoadPlan = {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Planned orders per second; 0: closed loop, as fast as answers come. */
  readonly rate: number;
  /** It ends after so many answers, if that is sooner; closed loop only. */
  readonly count?: number;
  /** Whole HTTP requests as latin1 text, sent in turn. */
  readonly requests: readonly string[];
  /** Whether it reports when each order got its answer; each request is then sent at most once. */
  readonly stamps: boolean;
};

export type LoadResult = {
  readonly answered: number;
  readonly accepted: number;
  readonly milliseconds: number;
  /** Bytes of the last answer, headers included. */
  readonly answerBytes: number;
  /** Milliseconds of each answer; open loop only. */
  readonly latencies: readonly number[];
  /** The first answer that was not 200. */
  readonly refusal: string;
  /** By request: nanoseconds of the machine's monotonic clock; with `stamps` only. */
  readonly answeredAt: readonly number[];
  /** The share of one core that the load itself used: near 1 it measures itself. */
  readonly coreShare: number;
};

type Run = {
  readonly plan: LoadPlan;
  readonly requests: readonly Buffer[];
  next: number;
  answered: number;
  accepted: number;
  answerBytes: number;
  refusal: string;
  readonly latencies: number[];
  readonly answeredAt: number[];
  readonly started: number;
  stopped: boolean;
};

/** One connection: at most one order is under way; `due` is its planned time. */
type Line = {
  readonly socket: Socket;
  due: number;
  /** The number of the request that is under way. */
  request: number;
  busy: boolean;
  rest: Buffer;
};

function openLine(run: Run, idle: Line[], onIdle: (line: Line) => void): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: run.plan.port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, due: 0, request: 0, busy: false, rest: Buffer.alloc(0) };
    socket.on('connect', () => resolve(line));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (!takeAnswer(run, line, chunk)) return;
      if (run.plan.stamps) run.answeredAt[line.request] = Number(process.hrtime.bigint());
      if (run.plan.rate > 0) run.latencies.push(performance.now() - line.due);
      line.busy = false;
      idle.push(line);
      onIdle(line);
    });
  });
}

const headEnd = Buffer.from('\r\n\r\n', 'latin1');
const lengthName = Buffer.from('ontent-Length: ', 'latin1');
const lengthNameLower = Buffer.from('ontent-length: ', 'latin1');

/** Whether the chunk completes the line's answer. At most one answer is under way. */
function takeAnswer(run: Run, line: Line, chunk: Buffer): boolean {
  const bytes = line.rest.length === 0 ? chunk : Buffer.concat([line.rest, chunk]);
  const head = bytes.indexOf(headEnd);
  if (head < 0) {
    line.rest = bytes;
    return false;
  }
  const upper = bytes.indexOf(lengthName);
  const at = (upper >= 0 ? upper : bytes.indexOf(lengthNameLower)) + lengthName.length;
  let length = 0;
  for (let i = at; bytes[i]! >= 48 && bytes[i]! <= 57; i += 1) {
    length = length * 10 + (bytes[i]! - 48);
  }
  const whole = head + headEnd.length + length;
  if (bytes.length < whole) {
    line.rest = bytes;
    return false;
  }
  line.rest = Buffer.alloc(0);
  run.answered += 1;
  run.answerBytes = whole;
  // "HTTP/1.1 200": the digits at 9 to 11.
  if (bytes[9] === 50 && bytes[10] === 48 && bytes[11] === 48) run.accepted += 1;
  else if (run.refusal === '') run.refusal = bytes.toString('latin1');
  return true;
}

function sendNext(run: Run, line: Line, due: number): void {
  line.busy = true;
  line.due = due;
  line.request = run.next;
  line.socket.write(run.requests[run.next]!);
  run.next = (run.next + 1) % run.requests.length;
}

async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const run: Run = {
    plan,
    requests: plan.requests.map((text) => Buffer.from(text, 'latin1')),
    next: 0,
    answered: 0,
    accepted: 0,
    answerBytes: 0,
    refusal: '',
    latencies: [],
    answeredAt: [],
    started: performance.now(),
    stopped: false,
  };
  const idle: Line[] = [];
  let onCount = (): void => undefined;
  const closedLoop = (line: Line): void => {
    if (run.answered === plan.count) onCount();
    if (run.stopped) return;
    idle.pop();
    sendNext(run, line, 0);
  };
  const onIdle = plan.rate > 0 ? (): void => sendPlanned(run, idle) : closedLoop;
  const lines = await Promise.all(
    Array.from({ length: plan.connections }, () => openLine(run, idle, onIdle)),
  );
  planned = 0;
  begun = performance.now();
  idle.push(...lines);
  const before = process.cpuUsage();
  if (plan.rate > 0) await sendByPlan(run, idle);
  else {
    const counted = new Promise<void>((resolve) => {
      onCount = resolve;
    });
    for (const line of lines) closedLoop(line);
    await Promise.race([sleep(plan.milliseconds), counted]);
  }
  run.stopped = true;
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(before);
  const { answered, accepted, answerBytes, latencies, refusal, answeredAt } = run;
  const result = {
    answered,
    accepted,
    milliseconds,
    answerBytes,
    latencies: [...latencies],
    refusal,
    answeredAt,
    coreShare: (user + system) / 1000 / milliseconds,
  };
  for (const { socket } of lines) socket.destroy();
  return result;
}

const pause = new Int32Array(new SharedArrayBuffer(4));
/** How late an order may approximately leave after its planned time. */
const pauseMs = 0.2;

// The plan of the open loop: order n is due n / rate seconds after the beginning. An order that
// finds no idle connection waits, and its wait counts.
let planned = 0;
let begun = 0;

function sendPlanned(run: Run, idle: Line[]): void {
  if (run.stopped) return;
  const now = performance.now();
  while (idle.length > 0) {
    const due = begun + (planned * 1000) / run.plan.rate;
    if (due > now) return;
    planned += 1;
    // In turn: the exchange closes a connection that has sent nothing for ten seconds.
    sendNext(run, idle.shift()!, due);
  }
}

function sendByPlan(run: Run, idle: Line[]): Promise<void> {
  const end = begun + run.plan.milliseconds;
  return new Promise((resolve) => {
    const step = (): void => {
      if (performance.now() >= end) {
        resolve();
        return;
      }
      sendPlanned(run, idle);
      // It sleeps and does not spin: the load must not take a core from the exchange.
      Atomics.wait(pause, 0, 0, pauseMs);
      setImmediate(step);
    };
    step();
  });
}

process.on('message', (plan: LoadPlan) => {
  runLoad(plan).then(
    (result) => process.send!(result),
    (error) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
