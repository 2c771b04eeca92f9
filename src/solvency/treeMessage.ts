// What the archivist and the process that makes trees say to each other, by pipes: one task, and
// one answer. Each is a frame: two lengths, a JSON text and bytes. Both ends run the same program
// on the same machine, so numbers lie in its byte order.

import type { Liabilities } from '../engine/views/liabilities.ts';
import type { Level } from './sumTree.ts';
import type { TreePlace } from './tree.ts';
import { countIn, type Found, TreeDamaged, textIn } from './treeDamaged.ts';
import { blocksOf, type TreeIndex } from './treeIndex.ts';
import { headText, readHead } from './treeText.ts';
import type { FiledTree } from './writeTree.ts';

export type TreeTask =
  | {
      readonly kind: 'make';
      readonly directory: string;
      readonly at: TreePlace;
      readonly owed: Liabilities;
    }
  | { readonly kind: 'read'; readonly directory: string; readonly position: number };

/** What the process says of the tree: its blocks, and not yet the levels above them. */
export type TreeAnswer = Pick<FiledTree, 'head' | 'fileHash'> &
  Pick<TreeIndex, 'starts' | 'firsts'> & { readonly nodes: Level };

export type TreeMessage = { readonly text: string; readonly bytes: Buffer };

const headBytes = 16;
const textBytesMax = 65_536;

const viewOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** In pieces, which are views of the given lists. */
function frameOf(content: object, lists: readonly NodeJS.TypedArray[]): Buffer[] {
  const text = Buffer.from(JSON.stringify(content));
  const bytes = lists.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Buffer.alloc(headBytes);
  head.writeDoubleLE(text.length, 0);
  head.writeDoubleLE(bytes, 8);
  return [head, text, ...lists.map(viewOf)];
}

/**
 * Puts a frame together from what arrives; gives it once it is whole. Throws `TreeDamaged` when it
 * has more than `bytesMax` bytes, or when more follows.
 */
export function createFrameReader(bytesMax: number): (chunk: Buffer) => TreeMessage | undefined {
  const head = Buffer.alloc(headBytes);
  let [text, bytes] = [Buffer.alloc(0), Buffer.alloc(0)];
  let received = 0;
  return (chunk) => {
    for (let rest = chunk; rest.length > 0; ) {
      const inText = received - headBytes;
      const inBytes = inText - text.length;
      const [part, at] =
        inText < 0 ? [head, received] : inBytes < 0 ? [text, inText] : [bytes, inBytes];
      const taken = rest.copy(part, at);
      if (taken === 0) throw new TreeDamaged('more follows than was announced');
      received += taken;
      rest = rest.subarray(taken);
      if (received !== headBytes) continue;
      const [textLength, length] = [head.readDoubleLE(0), head.readDoubleLE(8)];
      if (!isCount(textLength, textBytesMax) || !isCount(length, bytesMax)) {
        throw new TreeDamaged('it announces more than there can be');
      }
      [text, bytes] = [Buffer.alloc(textLength), Buffer.alloc(length)];
    }
    const isWhole = received >= headBytes && received === headBytes + text.length + bytes.length;
    return isWhole ? { text: text.toString(), bytes } : undefined;
  };
}

const isCount = (value: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= most;

/** Takes lists off the front of bytes, as copies that begin where their numbers may. */
function createTaker(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new TreeDamaged('a list is too short');
    const found = Buffer.allocUnsafeSlow(length);
    at += bytes.copy(found, 0, at, at + length);
    return found;
  };
  return {
    bytes: take,
    amounts: (count: number): BigUint64Array => new BigUint64Array(take(8 * count).buffer),
    numbers: (count: number): Float64Array => new Float64Array(take(8 * count).buffer),
    isEmpty: (): boolean => at === bytes.length,
  };
}

export function writeTask(task: TreeTask): Buffer[] {
  if (task.kind === 'read') return frameOf(task, []);
  const { accounts, units, withdrawn, ...figures } = task.owed;
  const { deficit, depositCount, depositTotal, withdrawnTotal } = figures;
  const content = {
    ...{ kind: task.kind, directory: task.directory, at: task.at, count: units.length },
    ...{ deficit: `${deficit}`, depositCount, depositTotal: `${depositTotal}` },
    withdrawnTotal: `${withdrawnTotal}`,
  };
  return frameOf(content, [accounts, units, withdrawn]);
}

/** The other side is the exchange: it is believed. */
export function readTask({ text, bytes }: TreeMessage): TreeTask {
  const found = JSON.parse(text);
  if (found.kind === 'read') return found;
  const { kind, directory, at, count, depositCount } = found;
  const taker = createTaker(bytes);
  const owed = {
    ...{ accounts: taker.bytes(20 * count), units: taker.amounts(count) },
    ...{ withdrawn: taker.amounts(count), depositCount, deficit: BigInt(found.deficit) },
    depositTotal: BigInt(found.depositTotal),
    withdrawnTotal: BigInt(found.withdrawnTotal),
  };
  return { kind, directory, at, owed };
}

export function writeAnswer({ head, fileHash, index }: FiledTree): Buffer[] {
  const { starts, firsts, above } = index;
  const [{ hashes, sums }] = above.levels;
  return frameOf({ head: headText(head), fileHash }, [starts, firsts, hashes, sums]);
}

export const writeRefusal = (error: Error): Buffer[] => frameOf({ refused: error.message }, []);

/** The size of the answer for a tree with so many leaves. */
export const answerBytesMax = (leaves: number): number => 8 + 68 * blocksOf(leaves);

/** Throws what the process could not do, and `TreeDamaged` for what is no answer. */
export function readAnswer({ text, bytes }: TreeMessage): TreeAnswer {
  const found = objectOf(text);
  if (typeof found.refused === 'string') throw new TreeRefused(found.refused);
  const head = readHead(textIn(found, 'head', /^\{.*\}\n$/));
  const count = blocksOf(countIn(head, 'leaves'));
  const taker = createTaker(bytes);
  const starts = taker.numbers(count + 1);
  const firsts = taker.bytes(20 * count);
  const nodes = { hashes: taker.bytes(32 * count), sums: taker.amounts(count) };
  if (!taker.isEmpty()) throw new TreeDamaged('it has more than its blocks');
  const fileHash = textIn(found, 'fileHash', /^[0-9a-f]{64}$/);
  return { head, fileHash, starts, firsts, nodes };
}

/** The process says why there is no tree. */
export class TreeRefused extends Error {
  override name = 'TreeRefused';
}

function objectOf(text: string): Found {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null) return found as Found;
  } catch {
    // As any other text that is no object.
  }
  throw new TreeDamaged('it is no JSON object');
}
