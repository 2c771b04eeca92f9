// The frame of a message that many sockets get. The library makes one for each socket, in two
// pieces; made once for all of them, a send costs less than half.

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

/** Gives the frame of a payload, whose bytes must not change. */
export type SharedFrames = (payload: Buffer) => Buffer;

/** The fan-out sends one message to all its readers, in two forms at most, and then the next. */
export function createSharedFrames(): SharedFrames {
  let last: Kept | undefined;
  let former: Kept | undefined;
  return (payload) => {
    if (last?.payload === payload) return last.frame;
    const found = former?.payload === payload ? former : undefined;
    former = last;
    last = found ?? { payload, frame: textFrame(payload) };
    return last.frame;
  };
}

type Kept = { readonly payload: Buffer; readonly frame: Buffer };
