// What a body keeps in memory while its rest has not come (AUTH-10): its own bytes, and not the
// reads of the platform in which they came. Counted, not timed.

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type Body, readBody } from '../../src/gateway/readBody.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const readBytes = 64 * 1024;

/**
 * A piece as the platform gives it: a part of a read, which stays in memory as long as the part.
 */
function pieceOf(bytes: number, reads: WeakRef<ArrayBuffer>[]): Buffer {
  const read = new ArrayBuffer(readBytes);
  reads.push(new WeakRef(read));
  return Buffer.from(read, 0, bytes).fill(97);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each([
  { pieces: 64, bytes: 1 },
  { pieces: 32, bytes: 512 },
])(
  'AUTH-10 a body of $pieces pieces of $bytes bytes does not keep the buffers of its reads',
  async ({ pieces, bytes }) => {
    const stream = new Readable({ read: () => {} });
    const headers = { 'transfer-encoding': 'chunked' };
    const request = Object.assign(stream, {
      method: 'POST',
      headers,
    }) as unknown as IncomingMessage;
    const reads: WeakRef<ArrayBuffer>[] = [];
    const given: Body[] = [];
    const bound = { exceeded: false, onExceeded: undefined };
    readBody({ request, bytesMax: 16 * 1024, bound }, (body) => given.push(body));
    for (let i = 0; i < pieces; i += 1) {
      stream.push(pieceOf(bytes, reads));
      await turn();
    }
    collect();
    await turn();
    collect();
    // The first one may be held, as it came.
    expect(reads.filter((read) => read.deref() !== undefined).length).toBeLessThanOrEqual(2);
    stream.push(null);
    await turn();
    await turn();
    expect(given).toHaveLength(1);
    expect((given[0] as Buffer).equals(Buffer.alloc(pieces * bytes, 97))).toBe(true);
  },
);
