// The bytes of one frame: a batch, or the seal that ends a segment. This file knows neither files
// nor the order of frames.
//
//   0 checksum u32 (of all that follows) · 4 length u32 (of the whole frame, without padding)
//   8 position u64 · 16 time u64 · 24 previous hash, 32 bytes · 56 engine hash, 32 bytes
//   88 count u32 · 92 bytes of engine hash used u8 · 93 kind u8 · 94 zero u16 · 96 commands
//
// Little-endian. A frame begins at a multiple of eight; zero bytes pad it. A length of zero marks
// the end of the frames of a segment, because segments are made of zeros.

import { hash } from 'node:crypto';
import { assert } from '../../std/assert.ts';
import { crc32c } from '../../std/crc32c.ts';
import { batchBytesMax, type LogBatch, type LogEntry, type LogHead } from '../log.ts';

export const frameHeaderBytes = 96;
export const frameBytesMax = frameHeaderBytes + batchBytesMax;
export const frameAlignment = 8;
export const hashBytes = 32;

/** `batch` carries commands; `seal` marks a full segment and gives the position that follows. */
export type FrameKind = 'batch' | 'seal';

const kindBatch = 1;
const kindSeal = 2;

/** A whole, checked frame, without padding. */
export type Frame = Buffer;

export const emptyHead: LogHead = { position: 0, hash: Buffer.alloc(hashBytes), time: 0 };

/** The room a frame takes in a segment, padding included. */
export function paddedFrameBytes(commandBytes: number): number {
  const bytes = frameHeaderBytes + commandBytes;
  return Math.ceil(bytes / frameAlignment) * frameAlignment;
}

/**
 * Writes the batch that follows `before` to the start of `target`; gives the frame with its
 * padding.
 */
export function encodeBatchFrame(target: Buffer, before: LogHead, entry: LogEntry): Buffer {
  const { engineHash, commands } = entry;
  assert(/^(?:[0-9a-f]{2}){0,32}$/.test(engineHash), 'the engine hash is hex of at most 32 bytes');
  assert(commands.length <= batchBytesMax, 'a batch holds at most batchBytesMax command bytes');
  const padded = paddedFrameBytes(commands.length);
  assert(target.length >= padded, 'the frame fits its buffer');
  target.fill(0, 0, frameHeaderBytes);
  target.write(engineHash, 56, 'hex');
  target.writeUInt32LE(entry.count, 88);
  target[92] = engineHash.length / 2;
  target.set(commands, frameHeaderBytes);
  target.fill(0, frameHeaderBytes + commands.length, padded);
  const length = frameHeaderBytes + commands.length;
  finishFrame(target.subarray(0, length), kindBatch, before, entry.time);
  return target.subarray(0, padded);
}

/** The seal of a segment whose last batch is `head`; its position is the next segment's first. */
export function encodeSeal(head: LogHead): Buffer {
  const frame = Buffer.alloc(frameHeaderBytes);
  finishFrame(frame, kindSeal, head, head.time);
  return frame;
}

function finishFrame(frame: Buffer, kind: number, before: LogHead, time: number): void {
  assert(Number.isSafeInteger(time) && time >= before.time, 'time never runs backwards in the log');
  frame.writeUInt32LE(frame.length, 4);
  frame.writeBigUInt64LE(BigInt(before.position + 1), 8);
  frame.writeBigUInt64LE(BigInt(time), 16);
  frame.set(before.hash, 24);
  frame[93] = kind;
  frame.writeUInt32LE(crc32c(frame.subarray(4)), 0);
}

/** The length that a frame at the start of `bytes` claims: 0 at the end of the frames. */
export function claimedFrameBytes(bytes: Buffer): number {
  return bytes.length < 8 ? 0 : bytes.readUInt32LE(4);
}

/** The whole frame of that kind at the start of `bytes`, or undefined. */
export function checkFrame(bytes: Buffer, kind: FrameKind): Frame | undefined {
  const length = claimedFrameBytes(bytes);
  if (length < frameHeaderBytes || length > Math.min(bytes.length, frameBytesMax)) return undefined;
  if (bytes[93] !== (kind === 'batch' ? kindBatch : kindSeal)) return undefined;
  const frame = bytes.subarray(0, length);
  return crc32c(frame.subarray(4)) === frame.readUInt32LE(0) ? frame : undefined;
}

/** The position of a frame. In a frame that is not checked it may be any number. */
export function framePosition(bytes: Buffer): number {
  return Number(bytes.readBigUInt64LE(8));
}

/** A view into the frame, not a copy. */
export function framePreviousHash(frame: Frame): Buffer {
  return frame.subarray(24, 24 + hashBytes);
}

/** Whether the frame, checked or not, claims to follow directly after `head`. */
export function followsHead(frame: Buffer, head: LogHead): boolean {
  return framePosition(frame) === head.position + 1 && framePreviousHash(frame).equals(head.hash);
}

/** The head of the log when this frame is its last. */
export function headAfterFrame(frame: Frame): LogHead {
  return {
    position: framePosition(frame),
    hash: hash('sha256', frame.subarray(4), 'buffer'),
    time: Number(frame.readBigUInt64LE(16)),
  };
}

/** The batch in a checked frame, which ends at `head`. It holds copies. */
export function decodeBatchFrame(frame: Frame, head: LogHead): LogBatch {
  return {
    ...head,
    previousHash: Buffer.from(framePreviousHash(frame)),
    engineHash: frame.toString('hex', 56, 56 + frame[92]!),
    count: frame.readUInt32LE(88),
    commands: Buffer.from(frame.subarray(frameHeaderBytes)),
  };
}
