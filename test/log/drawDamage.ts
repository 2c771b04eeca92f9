// Damage to one file of a deployment, drawn: bits and bytes changed, ranges zeroed, swapped, moved
// and copied, whole frames and sections among them; files cut, grown, lost and doubled. It is done
// to the files and knows nothing of what is made of them.

import { dirname } from 'node:path';
import { claimedFrameBytes, frameHeaderBytes } from '../../src/log/file/frame.ts';
import { segmentHeaderBytes, segmentName } from '../../src/log/file/segment.ts';
import type { Prng } from '../../src/std/prng.ts';
import { claimedSectionBytes, sectionHeadBytes } from '../../src/std/section.ts';
import type { MemoryDisk } from './memoryDisk.ts';

type Range = { readonly start: number; readonly end: number };

/** Damages a file, most often at an important place; describes the damage. */
export function drawDamage(disk: MemoryDisk, prng: Prng): string {
  const paths = disk.paths().filter((path) => !path.endsWith('/spare.segment'));
  const path = paths[prng.below(paths.length)]!;
  const bytes = disk.bytesOf(path);
  const pick = prng.below(16);
  if (pick === 15) return damageName(disk, path, prng);
  const changed = pick < 12 ? changeBytes(path, bytes, prng) : changeLength(path, bytes, prng);
  disk.replace(path, changed.bytes);
  return `${path}: ${changed.done}`;
}

type Changed = { readonly bytes: Buffer; readonly done: string };

/** Frames of a segment, sections of a snapshot, or lines and other parts. */
function partsOf(path: string, bytes: Buffer): Range[] {
  const parts: Range[] = [];
  if (path.endsWith('.segment')) {
    for (let at = segmentHeaderBytes; at + frameHeaderBytes <= bytes.length; ) {
      const claimed = claimedFrameBytes(bytes.subarray(at));
      if (claimed < frameHeaderBytes || at + claimed > bytes.length) break;
      const end = at + Math.ceil(claimed / 8) * 8;
      parts.push({ start: at, end });
      at = end;
    }
  }
  if (path.endsWith('.snap')) {
    for (let at = 0; at + sectionHeadBytes <= bytes.length; ) {
      const end = at + claimedSectionBytes(bytes.subarray(at));
      if (end > bytes.length) break;
      parts.push({ start: at, end });
      at = end;
    }
  }
  return parts.length > 0 ? parts : [{ start: 0, end: bytes.length }];
}

function changeBytes(path: string, bytes: Buffer, prng: Prng): Changed {
  const result = Buffer.from(bytes);
  const parts = partsOf(path, bytes);
  const { start, end } = parts[prng.below(parts.length)]!;
  // At lengths and checksums, or anywhere in the part, or anywhere in the file.
  const draw = prng.below(4);
  const [from, size] =
    draw === 0
      ? [start, Math.min(16, end - start)]
      : draw < 3
        ? [start, end - start]
        : [0, bytes.length];
  const at = from + prng.below(Math.max(1, size));
  const range = Math.min(1 + prng.below(1 << prng.below(13)), bytes.length - at);
  switch (prng.below(6)) {
    case 0:
      result[at]! ^= 1 << prng.below(8);
      return { bytes: result, done: `a bit of byte ${at} flipped` };
    case 1:
      result[at] = prng.below(256);
      return { bytes: result, done: `byte ${at} set to ${result[at]}` };
    case 2:
      result.fill(prng.below(4) === 0 ? 255 : 0, at, at + range);
      return { bytes: result, done: `${range} bytes at ${at} filled` };
    case 3: {
      const length = [0x7fffffff, 0xffffffff, 0x40000000, 8 * 1024 * 1024][prng.below(4)]!;
      if (start + 12 <= end) result.writeUInt32LE(length, start + 4 * prng.below(3));
      return { bytes: result, done: `a length of ${length} near ${start}` };
    }
    case 4: {
      const other = prng.below(Math.max(1, bytes.length - range));
      bytes.copy(result, at, other, other + range);
      bytes.copy(result, other, at, at + range);
      return { bytes: result, done: `${range} bytes at ${at} and ${other} swapped` };
    }
    default: {
      const other = parts[prng.below(parts.length)]!;
      bytes.copy(result, start, other.start, other.end);
      return { bytes: result, done: `the part at ${other.start} copied over that at ${start}` };
    }
  }
}

/** Parts taken out, doubled or exchanged with what follows moved; a file cut or grown. */
function changeLength(path: string, bytes: Buffer, prng: Prng): Changed {
  const parts = partsOf(path, bytes);
  const one = parts[prng.below(parts.length)]!;
  const next = parts[prng.below(parts.length)]!;
  const piece = ({ start, end }: Range): Buffer => bytes.subarray(start, end);
  const head = bytes.subarray(0, one.start);
  const tail = bytes.subarray(one.end);
  // A segment has a fixed size: moved bytes are lost at its end, and zeros come in.
  const sized = (made: Buffer[]): Buffer => {
    const whole = Buffer.concat(made);
    const fixed = path.endsWith('.segment') && prng.below(4) > 0;
    return fixed ? Buffer.concat([whole], bytes.length) : whole;
  };
  switch (prng.below(5)) {
    case 0:
      return { bytes: sized([head, tail]), done: `the part at ${one.start} taken out` };
    case 1:
      return {
        bytes: sized([head, piece(one), piece(one), tail]),
        done: `that at ${one.start} doubled`,
      };
    case 2:
      return {
        bytes: sized([head, piece(next), tail]),
        done: `${next.start} instead of ${one.start}`,
      };
    case 3: {
      const at = prng.below(2) === 0 ? one.start : prng.below(bytes.length + 1);
      return { bytes: sized([bytes.subarray(0, at)]), done: `cut at ${at}` };
    }
    default: {
      const more = Buffer.alloc(1 + prng.below(300), prng.below(2) === 0 ? 0 : prng.below(256));
      return { bytes: Buffer.concat([bytes, more]), done: `grown by ${more.length}` };
    }
  }
}

/** A file lost, or another in its place, or one more under another name. */
function damageName(disk: MemoryDisk, path: string, prng: Prng): string {
  const all = disk.paths().filter((other) => other.slice(-5) === path.slice(-5));
  const other = all[prng.below(all.length)]!;
  switch (prng.below(3)) {
    case 0:
      // A skip record that never existed cannot be missed.
      if (path.endsWith('.txt')) return 'nothing';
      disk.remove(path);
      return `${path} lost`;
    case 1:
      disk.replace(path, Buffer.from(disk.bytesOf(other)));
      return `${other} instead of ${path}`;
    default: {
      const name = path.endsWith('.segment')
        ? `${dirname(path)}/${segmentName(1 + prng.below(400))}`
        : `${dirname(path)}/${String(1 + prng.below(400)).padStart(16, '0')}.snap`;
      disk.replace(name, Buffer.from(disk.bytesOf(path)));
      return `${path} also as ${name}`;
    }
  }
}
