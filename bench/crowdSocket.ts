// A plain WebSocket of a benchmark's crowd: it sends what it is given, and reads only the heads of
// the frames that come, so that many of them leave the processors to the exchange.

import { connect, type Socket } from 'node:net';

/** Counts over all sockets that share it. */
export type FrameCount = { frames: number; bytes: number };

export type OpenCrowdSocket = {
  readonly port: number;
  readonly path: string;
  /** Sent as soon as it is open. */
  readonly says: readonly string[];
  readonly count: FrameCount;
};

const masked = 0x80;
const lengthInByteMax = 125;
const lengthFollows = 126;

/** A client's frame with this text, masked with zeros. At most 65,535 bytes. */
export function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const { length } = body;
  const isShort = length <= lengthInByteMax;
  const size = isShort ? [masked | length] : [masked | lengthFollows, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), body]);
}

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** The position of a socket in its frames. */
type Place = { opened: boolean; skip: number; rest: Buffer };

/** Counts the frames of a chunk; it reads only their heads. */
function takeChunk(place: Place, chunk: Buffer, count: FrameCount): void {
  let at = 0;
  const bytes = place.rest.length === 0 ? chunk : Buffer.concat([place.rest, chunk]);
  place.rest = Buffer.alloc(0);
  for (;;) {
    const skipped = Math.min(place.skip, bytes.length - at);
    at += skipped;
    place.skip -= skipped;
    if (place.skip > 0 || at === bytes.length) return;
    const short = bytes[at + 1] ?? 127;
    const headBytes = short < lengthFollows ? 2 : short === lengthFollows ? 4 : 10;
    if (bytes.length - at < headBytes) {
      place.rest = bytes.subarray(at);
      return;
    }
    place.skip =
      short < lengthFollows
        ? short
        : short === lengthFollows
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    at += headBytes;
    count.frames += 1;
  }
}

/** Resolves with the first frame. */
export function openCrowdSocket({ port, path, says, count }: OpenCrowdSocket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const place: Place = { opened: false, skip: 0, rest: Buffer.alloc(0) };
    socket.on('error', reject);
    socket.write(upgrade(path));
    socket.on('data', (chunk) => {
      if (place.opened) {
        count.bytes += chunk.length;
        takeChunk(place, chunk, count);
        resolve(socket);
        return;
      }
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 101')) {
        reject(new Error(chunk.toString('latin1').slice(0, 200)));
        return;
      }
      place.opened = true;
      socket.write(Buffer.concat(says.map(frameOf)));
    });
  });
}
