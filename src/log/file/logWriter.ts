// Writes frames at the end of the log, one after the other, and begins segments. Every call blocks.
// The writer knows nothing of threads or of waiting callers. After a failure it must not be used
// again.

import { join } from 'node:path';
import { assert } from '../../std/assert.ts';
import type { Disk, DiskFile } from '../../std/disk.ts';
import type { LogEntry, LogHead } from '../log.ts';
import {
  createSegment,
  oversizedName,
  placeSegment,
  segmentBytesFor,
  spareName,
  writeZeros,
} from './createSegment.ts';
import { encodeBatchFrame, encodeSeal, headAfterFrame, paddedFrameBytes } from './frame.ts';
import { sealBytes, segmentHeaderBytes, segmentName } from './segment.ts';

/** Where a recovered log continues. */
export type LogTail = {
  readonly head: LogHead;
  /** The last segment: the position of its first batch, its size, and where its frames end. */
  readonly firstPosition: number;
  readonly size: number;
  readonly offset: number;
};

export type LogWriter = {
  /** Appends the entry durably and gives the new head. Throws what the disk throws. */
  readonly append: (entry: LogEntry) => LogHead;
  /**
   * Does one bounded step towards the next segment while the present one fills up. Gives whether
   * another step should follow as soon as there is nothing else to do.
   */
  readonly prepare: () => boolean;
  readonly close: () => void;
};

export type LogWriterOptions = {
  readonly disk: Disk;
  readonly directory: string;
  readonly segmentBytes: number;
  readonly tail: LogTail;
};

type Spare = { readonly file: DiskFile; filled: number };

type WriterState = {
  file: DiskFile;
  size: number;
  offset: number;
  head: LogHead;
  spare: Spare | undefined;
  usable: boolean;
};

// A step delays a batch that arrives during it by one write and one sync, 2 to 5 ms. Smaller steps
// take almost as long, and delay more batches.
const prepareStepBytes = 2 * 1024 * 1024;
// Preparation begins when this share of the segment is used, and ends well before its end.
const prepareFrom = 0.5;
const prepareUntil = 0.9;

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { disk, directory, tail } = options;
  const path = join(directory, segmentName(tail.firstPosition));
  const state: WriterState = {
    file: disk.openFile(path, 'write'),
    size: tail.size,
    offset: tail.offset,
    head: tail.head,
    spare: undefined,
    usable: true,
  };
  let scratch = Buffer.alloc(64 * 1024);
  const append = (entry: LogEntry): LogHead => {
    const frameBytes = paddedFrameBytes(entry.commands.length);
    if (scratch.length < frameBytes) scratch = Buffer.alloc(frameBytes * 2);
    const padded = encodeBatchFrame(scratch, state.head, entry);
    if (state.offset + frameBytes > state.size - sealBytes) {
      beginSegment(options, state, frameBytes);
    }
    disk.writeAt(state.file, padded, state.offset);
    disk.syncData(state.file);
    state.offset += frameBytes;
    const unpadded = padded.readUInt32LE(4);
    state.head = headAfterFrame(padded.subarray(0, unpadded));
    return state.head;
  };
  return {
    append: (entry) => guard(state, () => append(entry)),
    prepare: () => guard(state, () => prepare(options, state)),
    close: () => {
      disk.closeFile(state.file);
      if (state.spare !== undefined) disk.closeFile(state.spare.file);
      state.usable = false;
    },
  };
}

// After a failed write or sync the content of the disk is unknown, so a later append must not be
// acknowledged.
function guard<Result>(state: WriterState, step: () => Result): Result {
  assert(state.usable, 'the log writer is closed or has failed');
  state.usable = false;
  const result = step();
  state.usable = true;
  return result;
}

function beginSegment(options: LogWriterOptions, state: WriterState, frameBytes: number): void {
  const { disk, directory, segmentBytes } = options;
  const size = segmentBytesFor(frameBytes, segmentBytes);
  let file: DiskFile;
  if (size > segmentBytes || state.spare === undefined) {
    const name = size > segmentBytes ? oversizedName : spareName;
    file = createSegment(disk, directory, { name, size }, state.head);
  } else {
    const spare = state.spare;
    writeZeros(disk, spare.file, { offset: spare.filled, size, stepBytes: size });
    file = spare.file;
    placeSegment(disk, directory, { name: spareName, file, size }, state.head);
    state.spare = undefined;
  }
  // The seal comes only when the successor is in place: a sealed segment without one is damage.
  disk.writeAt(state.file, encodeSeal(state.head), state.size - sealBytes);
  disk.syncData(state.file);
  disk.closeFile(state.file);
  state.file = file;
  state.size = size;
  state.offset = segmentHeaderBytes;
}

function prepare(options: LogWriterOptions, state: WriterState): boolean {
  const { disk, directory, segmentBytes } = options;
  const used = state.offset / state.size;
  if (used < prepareFrom) return false;
  state.spare ??= { file: disk.openFile(join(directory, spareName), 'create'), filled: 0 };
  const spare = state.spare;
  if (spare.filled >= segmentBytes) return false;
  // Due: the spare grows with the present segment, a little faster.
  const due = ((used - prepareFrom) / (prepareUntil - prepareFrom)) * segmentBytes;
  if (spare.filled > due) return false;
  const range = { offset: spare.filled, size: segmentBytes, stepBytes: prepareStepBytes };
  spare.filled = writeZeros(disk, spare.file, range);
  disk.syncData(spare.file);
  return true;
}
