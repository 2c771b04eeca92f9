// Bits that flip on the disk of a run while no program runs: in a batch that others follow, which
// recovery must find and refuse, and in the newest snapshot, which recovery must skip. Also the
// repair, as an operator with a copy does it.

import { frameHeaderBytes, paddedFrameBytes } from '../../src/log/file/frame.ts';
import { createFrameCursor, nextFrame } from '../../src/log/file/frameCursor.ts';
import { listSegments, openLiveSegment, segmentName } from '../../src/log/file/segment.ts';
import { listSnapshots, snapshotPath } from '../../src/replica/snapshotFile.ts';
import type { Prng } from '../../src/std/prng.ts';
import type { LifeDisk } from './lifeDisk.ts';
import { logDirectory, snapshotDirectory } from './lifeWorld.ts';

export type Damage = { readonly repair: () => void };

type Frame = { readonly path: string; readonly offset: number; readonly bytes: number };

/** Every whole frame, in order. */
function framesOf({ disk }: LifeDisk): Frame[] {
  const frames: Frame[] = [];
  for (const first of listSegments(disk, logDirectory)) {
    const segment = openLiveSegment(disk, logDirectory, first);
    if (segment === undefined) continue;
    const cursor = createFrameCursor(segment);
    const path = `${logDirectory}/${segmentName(first)}`;
    for (;;) {
      const { offset } = cursor;
      const frame = nextFrame(cursor);
      if (typeof frame === 'string') break;
      frames.push({ path, offset, bytes: frame.length });
    }
    segment.close();
  }
  return frames;
}

/** Flips one bit of a batch that is not the last; undefined when there is none. */
export function damageLog(life: LifeDisk, prng: Prng): Damage | undefined {
  const frames = framesOf(life);
  const frame = frames[prng.below(Math.max(1, frames.length - 1))];
  if (frame === undefined || frames.length < 2) return undefined;
  return turnBit(life, frame.path, frame.offset + prng.below(frame.bytes), prng.below(8));
}

/** Flips one bit of the newest snapshot; undefined when there is none. */
export function damageSnapshot(life: LifeDisk, prng: Prng): Damage | undefined {
  const newest = listSnapshots({ disk: life.disk, directory: snapshotDirectory }).at(-1);
  if (newest === undefined) return undefined;
  const path = snapshotPath(snapshotDirectory, newest);
  const { length } = life.memory.bytesOf(path);
  return turnBit(life, path, prng.below(length), prng.below(8));
}

function turnBit({ memory }: LifeDisk, path: string, offset: number, bit: number): Damage {
  const turn = (): void => {
    memory.bytesOf(path)[offset]! ^= 1 << bit;
  };
  turn();
  return { repair: turn };
}

/** Removes the last batch from the log as if it had never been written. */
export function loseLastBatch(life: LifeDisk): void {
  const last = framesOf(life).at(-1);
  if (last === undefined) return;
  const bytes = paddedFrameBytes(last.bytes - frameHeaderBytes);
  life.memory.bytesOf(last.path).fill(0, last.offset, last.offset + bytes);
}
