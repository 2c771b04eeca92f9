// Random draws for every target: choices, and texts and bytes with a defect. Everything is a
// function of the seed.

import { createPrng, type Prng } from '../src/std/prng.ts';

export type Draw = Prng & {
  readonly pick: <T>(list: readonly T[]) => T;
  /** True once in `times`, on the average. */
  readonly once: (times: number) => boolean;
  /** One of the entries, in proportion to their weights. */
  readonly weighed: <T extends string>(weights: Readonly<Record<T, number>>) => T;
  readonly bytes: (size: number) => Buffer;
  readonly digits: (length: number) => string;
};

export function createDraw(seed: number): Draw {
  const prng = createPrng(seed);
  const { below } = prng;
  return {
    ...prng,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[below(list.length)]!;
    },
    once: (times) => below(times) === 0,
    weighed: (weights) => {
      const entries = Object.entries<number>(weights);
      let left = below(entries.reduce((sum, [, weight]) => sum + weight, 0));
      for (const [name, weight] of entries) {
        if (left < weight) return name as keyof typeof weights & string as never;
        left -= weight;
      }
      throw new Error('weights are whole and above zero');
    },
    bytes: (size) => {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at += 1) bytes[at] = below(256);
      return bytes;
    },
    digits: (length) => Array.from({ length }, () => String(below(10))).join(''),
  };
}

/** Pieces that parsers often misread. */
export const strangePieces: readonly string[] = [
  '\0',
  '\t',
  ' ',
  '\r\n',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ufeff',
  'ß',
  'İ',
  '☃',
  '𝒳',
  '\ud800',
  '١',
  '%',
  '%00',
  '%zz',
  '%2',
  '%c0%af',
  '+',
  '&',
  '=',
  ';',
  ',',
  '"',
  "'",
  '\\',
  '\\u0000',
  '/',
  '../',
  '{',
  '[',
  '__proto__',
  'constructor',
  'NaN',
  'Infinity',
  '-',
  '.',
  'e9',
  '1e400',
  '0x1',
  '$',
  "' OR 1=1 --",
];

/** A text with one defect; never the same text. */
export function spoilText(draw: Draw, text: string): string {
  for (;;) {
    const spoilt = spoilOnce(draw, text);
    if (spoilt !== text) return spoilt;
  }
}

function spoilOnce(draw: Draw, text: string): string {
  const at = draw.below(text.length + 1);
  const to = Math.min(text.length, at + 1 + draw.below(4));
  const piece = draw.pick(strangePieces);
  switch (draw.below(8)) {
    case 0:
      return text.slice(0, at) + piece + text.slice(at);
    case 1:
      return text.slice(0, at) + piece + text.slice(to);
    case 2:
      return text.slice(0, at) + text.slice(to);
    case 3:
      return text.slice(0, to) + text.slice(at);
    case 4:
      return text.slice(0, at);
    case 5:
      return text + piece;
    case 6:
      return piece + text;
    default:
      return otherCase(text, at) ?? text + text;
  }
}

function otherCase(text: string, at: number): string | undefined {
  const letter = text.charAt(at);
  const lower = letter.toLowerCase();
  const other = letter === lower ? letter.toUpperCase() : lower;
  return other === letter ? undefined : text.slice(0, at) + other + text.slice(at + 1);
}

/** Bytes with one defect; never the same bytes. */
export function spoilBytes(draw: Draw, bytes: Buffer): Buffer {
  const at = draw.below(bytes.length + 1);
  const rest = bytes.subarray(at);
  const head = bytes.subarray(0, at);
  switch (rest.length === 0 ? 0 : draw.below(4)) {
    case 0:
      return Buffer.concat([head, draw.bytes(1 + draw.below(3)), rest]);
    case 1:
      return Buffer.concat([head, rest.subarray(1)]);
    case 2: {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ (1 << draw.below(8));
      return changed;
    }
    default: {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at]! + 1 + draw.below(255)) % 256;
      return changed;
    }
  }
}
