// A WebSocket server of few lines on loopback, which says exactly the bytes that a test wants and
// takes a client's frames apart. It knows no rule that a test would want to break.

import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type SocketServer = {
  readonly url: string;
  /** Heads of the requests so far. */
  readonly heads: string[];
  /** Frames of clients: opcode and payload, unmasked; masks must be there. */
  readonly frames: { readonly opcode: number; readonly payload: string }[];
  readonly sockets: Socket[];
  /** Says bytes on the newest connection. */
  readonly say: (bytes: Buffer) => void;
  readonly close: () => void;
};

/** The answer to a request for an upgrade, by default the right one. */
export type Answer = (key: string) => string | undefined;

export const upgrade: Answer = (key) => {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept.digest('base64')}`,
    '\r\n',
  ].join('\r\n');
};

export async function startSocketServer(answer: Answer = upgrade): Promise<SocketServer> {
  const heads: string[] = [];
  const frames: { opcode: number; payload: string }[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let head = '';
    let rest: Buffer = Buffer.alloc(0);
    let upgraded = false;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (upgraded) {
        rest = takeFrames(Buffer.concat([rest, chunk]), frames);
        return;
      }
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      upgraded = true;
      heads.push(head);
      const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(head) ?? [];
      const text = answer(key);
      if (text !== undefined) socket.write(text, 'latin1');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/stream?of=prices`,
    heads,
    frames,
    sockets,
    say: (bytes) => sockets.at(-1)!.write(bytes),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function takeFrames(bytes: Buffer, frames: { opcode: number; payload: string }[]): Buffer {
  let rest = bytes;
  for (;;) {
    if (rest.length < 6) return rest;
    const short = rest[1]! & 0x7f;
    if ((rest[1]! & 0x80) === 0) throw new Error('a client must mask its frames');
    const start = short === 126 ? 8 : 6;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    if (rest.length < start + length) return rest;
    const mask = rest.subarray(start - 4, start);
    const payload = Buffer.from(rest.subarray(start, start + length));
    for (let i = 0; i < length; i += 1) payload[i] = payload[i]! ^ mask[i & 3]!;
    frames.push({ opcode: rest[0]! & 0x0f, payload: payload.toString('utf8') });
    rest = rest.subarray(start + length);
  }
}

/** A frame as a server sends it: `first` holds the final bit and the opcode. */
export function serverFrame(first: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload);
  const head = bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10;
  const frame = Buffer.alloc(head + bytes.length);
  frame[0] = first;
  if (head === 2) frame[1] = bytes.length;
  if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(bytes.length, 2);
  }
  if (head === 10) {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(bytes.length), 2);
  }
  bytes.copy(frame, head);
  return frame;
}
