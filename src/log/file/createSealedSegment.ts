// A full segment that is made in memory, of batches that were read elsewhere. It is as long as its
// frames need.

import { assert } from '../../std/assert.ts';
import type { LogEntry, LogHead } from '../log.ts';
import { segmentBytesFor } from './createSegment.ts';
import { encodeBatchFrame, encodeSeal, headAfterFrame, paddedFrameBytes } from './frame.ts';
import { encodeSegmentHeader, sealBytes, segmentHeaderBytes } from './segment.ts';

export type SealedSegment = {
  /** Adds a batch and gives its head; undefined when it does not fit any more. */
  readonly add: (entry: LogEntry) => LogHead | undefined;
  /** The finished segment, a view that is valid as long as nothing is added. */
  readonly seal: () => Buffer;
};

/** Holds at least one batch of any size, and otherwise at most `bytesMax`. */
export function createSealedSegment(before: LogHead, bytesMax: number): SealedSegment {
  let bytes = Buffer.alloc(bytesMax);
  let offset = segmentHeaderBytes;
  let head = before;
  const add = (entry: LogEntry): LogHead | undefined => {
    const frameBytes = paddedFrameBytes(entry.commands.length);
    if (offset + frameBytes + sealBytes > bytes.length) {
      if (head !== before) return undefined;
      bytes = Buffer.alloc(segmentBytesFor(frameBytes, bytesMax));
    }
    const padded = encodeBatchFrame(bytes.subarray(offset), head, entry);
    head = headAfterFrame(padded.subarray(0, padded.readUInt32LE(4)));
    offset += frameBytes;
    return head;
  };
  const seal = (): Buffer => {
    assert(head !== before, 'a segment has a batch');
    const size = offset + sealBytes;
    bytes.set(encodeSegmentHeader(before, size), 0);
    bytes.set(encodeSeal(head), offset);
    return bytes.subarray(0, size);
  };
  return { add, seal };
}
