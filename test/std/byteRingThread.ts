// The other thread of byteRing.test.ts: it sends back each message that it takes.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../src/std/assert.ts';
import { createByteRing, createRingPutter, createRingTaker } from '../../src/std/byteRing.ts';

const port = must(parentPort, 'it runs as a thread');
const { there, back } = workerData as { there: SharedArrayBuffer; back: SharedArrayBuffer };
const taker = createRingTaker(createByteRing(4096, there));
const putter = createRingPutter(createByteRing(1024, back));

function look(): void {
  taker.stir();
  const { wanted } = taker.takeAll(({ buffer, offset, end }) => {
    if (putter.put(buffer.subarray(offset, end))) port.postMessage(0);
  });
  if (putter.putWaiting() || wanted) port.postMessage(0);
  if (!taker.sleep()) setImmediate(look);
}

port.on('message', look);
look();
