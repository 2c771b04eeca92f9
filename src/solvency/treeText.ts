// The published file of a tree (VLT-8), text that a person and a script can read: a line of JSON
// with its figures, and a line for each wallet: address, units owed, units paid. An anchor on the
// chain names the SHA-256 of the whole file.

import { amountMax } from './sumTree.ts';
import { bytesOf, growOver, type Rows, rowsPerStep, type Tree, type TreeHead } from './tree.ts';
import { countIn, type Found, TreeDamaged, textIn } from './treeDamaged.ts';
import { rowsPerBlock } from './treeIndex.ts';

const format = 1;

/** The text in pieces: the head, and each block of rows (treeIndex.ts). */
export function* treeText({ head, rows }: Tree): Generator<string> {
  yield headText(head);
  const { accounts, units, withdrawn } = rows;
  for (let from = 0; from < units.length; from += rowsPerBlock) {
    const lines: string[] = [];
    for (let at = from; at < Math.min(from + rowsPerBlock, units.length); at += 1) {
      const account = accounts.toString('hex', 20 * at, 20 * at + 20);
      lines.push(`0x${account},${units[at]},${withdrawn[at]}\n`);
    }
    yield lines.join('');
  }
}

/** The first line of the file. */
export const headText = (head: TreeHead): string => `${JSON.stringify(writeHead(head))}\n`;

/**
 * Reads a whole file in short steps and makes the tree again. Throws `TreeDamaged` unless it is the
 * tree that its head names; whether an anchor names the file is compared elsewhere.
 */
export function* growFromFile(bytes: Buffer): Generator<void, Tree> {
  const headEnd = bytes.indexOf(10);
  const head = readHead(bytes.toString('utf8', 0, Math.max(0, headEnd)));
  const rows = yield* readRows(bytes, headEnd + 1, head.leaves);
  const { chainId, vault, position, batchHash, time, leaves: _, root, sum, ...figures } = head;
  const place = { chainId, vault, position, batchHash, time };
  try {
    const tree = yield* growOver(place, figures, rows);
    if (tree.head.root === root && tree.head.sum === sum) return tree;
  } catch (error) {
    throw new TreeDamaged((error as Error).message);
  }
  throw new TreeDamaged('its rows do not make the root that its first line names');
}

const writeHead = (head: TreeHead): object => ({
  format,
  chain_id: head.chainId,
  vault: head.vault,
  log_position: head.position,
  log_hash: `0x${head.batchHash}`,
  time: head.time,
  deposit_count: head.depositCount,
  deposits: head.deposits.toString(),
  withdrawn: head.withdrawn.toString(),
  deficit: head.deficit.toString(),
  leaves: head.leaves,
  sum: head.sum.toString(),
  root: `0x${head.root}`,
});

/** What the first line of a file says. Throws `TreeDamaged`. */
export function readHead(line: string): TreeHead {
  const found = parsed(line);
  if (found.format !== format) throw new TreeDamaged('its first line is no head of format 1');
  return {
    chainId: countIn(found, 'chain_id'),
    vault: textIn(found, 'vault', /^0x[0-9a-f]{40}$/),
    position: countIn(found, 'log_position'),
    batchHash: textIn(found, 'log_hash', hash).slice(2),
    time: countIn(found, 'time'),
    depositCount: countIn(found, 'deposit_count'),
    deposits: BigInt(textIn(found, 'deposits', amount)),
    withdrawn: BigInt(textIn(found, 'withdrawn', amount)),
    deficit: BigInt(textIn(found, 'deficit', amount)),
    leaves: countIn(found, 'leaves'),
    sum: BigInt(textIn(found, 'sum', amount)),
    root: textIn(found, 'root', hash).slice(2),
  };
}

const hash = /^0x[0-9a-f]{64}$/;
const amount = /^\d{1,30}$/;

function parsed(line: string): Found {
  try {
    const found: unknown = JSON.parse(line);
    if (typeof found === 'object' && found !== null) return found as Found;
  } catch {
    // As any other line that is no object.
  }
  throw new TreeDamaged('its first line is no JSON object');
}

const rowForm = /^(0x[0-9a-f]{40}),(\d{1,20}),(\d{1,20})$/;

function amountOf(text: string, row: number): bigint {
  const found = BigInt(text);
  if (found <= amountMax) return found;
  throw new TreeDamaged(`row ${row + 1} has an amount of more than 64 bits`);
}

/** 0x and 40 digits, and two amounts of a digit. */
const rowBytesMin = 46;

/** The lines from there on, in short steps. Throws `TreeDamaged` unless there are so many. */
export function* readRows(bytes: Buffer, from: number, leaves: number): Generator<void, Rows> {
  // Before the lists are made, so that a false number costs nothing.
  if (leaves > bytes.length / rowBytesMin) throw new TreeDamaged(`it does not have ${leaves} rows`);
  const accounts = Buffer.alloc(20 * leaves);
  const [units, withdrawn] = [new BigUint64Array(leaves), new BigUint64Array(leaves)];
  let start = from;
  for (let row = 0; row < leaves; row += 1) {
    const end = bytes.indexOf(10, start);
    const fields = end < 0 ? null : rowForm.exec(bytes.toString('latin1', start, end));
    if (fields === null) throw new TreeDamaged(`row ${row + 1} cannot be read`);
    accounts.set(bytesOf(fields[1]!), 20 * row);
    [units[row], withdrawn[row]] = [amountOf(fields[2]!, row), amountOf(fields[3]!, row)];
    start = end + 1;
    if (row % rowsPerStep === 0) yield;
  }
  if (start !== bytes.length) throw new TreeDamaged(`it has more than ${leaves} rows`);
  return { accounts, units, withdrawn };
}
