// Bits that turn over on the disk of a life while no program runs: in a batch that others follow,
// where recovery must see it and refuse, and in the newest snapshot, which it must pass over. And the
// way back, as an operator who has a copy takes it.

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

/** Turns one bit of a batch that is not the last; undefined where there is none. */
export function damageLog(life: LifeDisk, prng: Prng): Damage | undefined {
  const frames = framesOf(life);
  const frame = frames[prng.below(Math.max(1, frames.length - 1))];
  if (frame === undefined || frames.length < 2) return undefined;
  return turnBit(life, frame.path, frame.offset + prng.below(frame.bytes), prng.below(8));
}

/** Turns one bit of the newest snapshot; undefined where there is none. */
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

/** Takes the last batch out of the log as if it had never been written. */
export function loseLastBatch(life: LifeDisk): void {
  const last = framesOf(life).at(-1);
  if (last === undefined) return;
  const bytes = paddedFrameBytes(last.bytes - frameHeaderBytes);
  life.memory.bytesOf(last.path).fill(0, last.offset, last.offset + bytes);
}
