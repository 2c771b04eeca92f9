// The readers of the streams' benchmark, a separate process: private streams, for which it records
// the first message about each order, and many plain sockets whose frames it counts.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

/** Private streams: `address` is where each is opened, `says` is the message to send there. */
export type PrivatePlan = {
  readonly do: 'private';
  readonly streams: readonly { readonly address: string; readonly says: readonly string[] }[];
};

/** This many sockets at that path. Each sends these messages and waits for a first frame. */
export type CrowdPlan = {
  readonly do: 'crowd';
  readonly port: number;
  readonly path: string;
  readonly sockets: number;
  readonly says: string | readonly string[];
};

export type ReaderPlan =
  | PrivatePlan
  | CrowdPlan
  | { readonly do: 'leave' }
  | { readonly do: 'heard' }
  | { readonly do: 'forget' }
  | { readonly do: 'count' };

/** By the number in the order's name: nanoseconds of the machine's monotonic clock. */
export type Heard = readonly (number | null)[];

/** Counts of the crowd since it was opened. */
export type CrowdCount = { readonly frames: number; readonly bytes: number };

const heard: (number | null)[] = [];
const count = { frames: 0, bytes: 0 };
const crowd: Socket[] = [];
const privates: WebSocket[] = [];

const orderName = /"(?:client_order_id|c)":"b(\d+)"/;

function note(text: string): void {
  const number = orderName.exec(text)?.[1];
  if (number === undefined) return;
  heard[Number(number)] ??= Number(process.hrtime.bigint());
}

async function openPrivate({ streams }: PrivatePlan): Promise<void> {
  for (const { address, says } of streams) {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    socket.on('message', (data) => note(String(data)));
    await once(socket, 'open');
    for (const text of says) socket.send(text);
    // Its snapshot, or nothing; messages after a moment are live in both cases.
    await new Promise((resolve) => setTimeout(resolve, 50));
    privates.push(socket);
  }
}

const masked = 0x80;

/** A client's frame with this text, masked with zeros. At most 125 bytes. */
function frameOf(text: string): Buffer {
  const head = Buffer.from([0x81, masked | text.length, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(text)]);
}

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** The position of a socket in its frames. */
type Place = { opened: boolean; skip: number; rest: Buffer };

/** Counts the frames of a chunk; it reads only their heads. */
function takeChunk(place: Place, chunk: Buffer): void {
  let at = 0;
  const bytes = place.rest.length === 0 ? chunk : Buffer.concat([place.rest, chunk]);
  place.rest = Buffer.alloc(0);
  for (;;) {
    const skipped = Math.min(place.skip, bytes.length - at);
    at += skipped;
    place.skip -= skipped;
    if (place.skip > 0 || at === bytes.length) return;
    const short = bytes[at + 1] ?? 127;
    const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length - at < headBytes) {
      place.rest = bytes.subarray(at);
      return;
    }
    place.skip =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    at += headBytes;
    count.frames += 1;
  }
}

function openOne({ port, path, says }: CrowdPlan): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const place: Place = { opened: false, skip: 0, rest: Buffer.alloc(0) };
    socket.on('error', reject);
    socket.write(upgrade(path));
    socket.on('data', (chunk) => {
      if (place.opened) {
        count.bytes += chunk.length;
        takeChunk(place, chunk);
        resolve();
        return;
      }
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 101')) {
        reject(new Error(chunk.toString('latin1').slice(0, 200)));
        return;
      }
      place.opened = true;
      socket.write(Buffer.concat([says].flat().map(frameOf)));
    });
    crowd.push(socket);
  });
}

const openAtOnce = 50;

async function openCrowd(plan: CrowdPlan): Promise<void> {
  for (let opened = 0; opened < plan.sockets; opened += openAtOnce) {
    const some = Math.min(openAtOnce, plan.sockets - opened);
    await Promise.all(Array.from({ length: some }, () => openOne(plan)));
  }
}

async function perform(plan: ReaderPlan): Promise<unknown> {
  switch (plan.do) {
    case 'private':
      await openPrivate(plan);
      return true;
    case 'crowd':
      await openCrowd(plan);
      return true;
    case 'leave':
      for (const socket of crowd.splice(0)) socket.destroy();
      return true;
    case 'heard':
      return Array.from(heard, (at) => at ?? null);
    case 'forget':
      heard.length = 0;
      return true;
    case 'count':
      return { ...count };
  }
}

process.on('message', (plan: ReaderPlan) => {
  perform(plan).then(
    (answer) => process.send!(answer),
    (error) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
