// The frames of messages that many sockets get. The library makes one for each socket, in two
// pieces; made once for all of them, a send costs less than half.

import type { SharedTexts } from '../../streams/reader.ts';

/** The frame of a text (RFC 6455, 5.2): whole, not masked, not compressed. */
export function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const sizeBytes = length < shortMax ? 0 : length <= 0xffff ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + sizeBytes + length);
  frame[0] = finalText;
  if (sizeBytes === 0) frame[1] = length;
  else if (sizeBytes === 2) {
    frame[1] = shortMax;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = shortMax + 1;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  payload.copy(frame, 2 + sizeBytes);
  return frame;
}

const finalText = 0x81;
/** The first length that is not in the second byte itself. */
const shortMax = 126;

/** The frames of all the texts, one behind the other, made once. */
export function framesOf(shared: SharedTexts): Buffer {
  shared.frames ??= Buffer.concat(shared.texts.map(textFrame));
  return shared.frames;
}
