// What a user keeps to show what the exchange owed: the published file of a tree, or the saved
// answer of GET /api/v1/proof/{address}, which has the leaf of one wallet (VLT-8).

import { hash } from 'node:crypto';
import { finish } from '../std/finish.ts';
import { claimOf, type TreeClaim } from './createTreeMaker.ts';
import { climbTree, type Sibling } from './sumTree.ts';
import { bytesOf, type Proof, proveWallet } from './tree.ts';
import { countIn, type Found, TreeDamaged, textIn } from './treeDamaged.ts';
import { growFromFile } from './treeText.ts';

export type Evidence = {
  readonly chainId: number;
  /** `0x` and hex digits in lower case, as wallets are. */
  readonly vault: string;
  readonly claim: TreeClaim;
  /** Undefined for a wallet of which it says nothing. */
  readonly proofOf: (wallet: string) => Proof | undefined;
};

/** Throws `TreeDamaged` unless each leaf leads to the root that it names. */
export function readEvidence(bytes: Buffer): Evidence {
  const saved = savedProof(bytes);
  if (saved !== undefined) return readProof(saved);
  const tree = finish(growFromFile(bytes));
  const { chainId, vault } = tree.head;
  const claim = claimOf({ head: tree.head, fileHash: hash('sha256', bytes, 'hex') });
  return { chainId, vault, claim, proofOf: (wallet) => proveWallet(tree, wallet) };
}

/** The published file is more than one line of JSON. */
function savedProof(bytes: Buffer): Found | undefined {
  try {
    const found: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof found === 'object' && found !== null && 'proof' in found) return found as Found;
  } catch {
    // It is a tree, or nothing.
  }
  return undefined;
}

function readProof({ tree, proof }: Found): Evidence {
  const head = objectIn(tree, 'tree');
  const batchHash = textIn(head, 'log_hash', hashForm).slice(2);
  const claim: TreeClaim = {
    batchHash,
    position: countIn(head, 'log_position'),
    root: textIn(head, 'root', hashForm).slice(2),
    sum: unitsIn(head, 'sum'),
    deficit: BigInt(textIn(head, 'deficit', unitsForm)),
    leaves: countIn(head, 'leaves'),
    depositCount: countIn(head, 'deposit_count'),
    withdrawn: BigInt(textIn(head, 'withdrawn', unitsForm)),
    fileHash: textIn(head, 'hash', hashForm).slice(2),
  };
  const own = proof === null ? undefined : readLeaf(objectIn(proof, 'proof'), claim);
  return {
    chainId: countIn(head, 'chain_id'),
    vault: textIn(head, 'vault', walletForm),
    claim,
    proofOf: (wallet) => (wallet === own?.wallet ? own.proof : undefined),
  };
}

function readLeaf(found: Found, { batchHash, root, sum }: TreeClaim) {
  const wallet = textIn(found, 'account', walletForm);
  const { siblings } = found;
  if (!Array.isArray(siblings)) throw new TreeDamaged('"siblings" is no list');
  const leaf = {
    account: bytesOf(wallet),
    units: unitsIn(found, 'units'),
    withdrawn: unitsIn(found, 'withdrawn'),
    salt: Buffer.from(batchHash, 'hex'),
  };
  const proof = { leaf, siblings: siblings.map(readSibling) };
  const top = climb(proof);
  if (Buffer.from(top.root).toString('hex') !== root || top.sum !== sum) {
    throw new TreeDamaged('its leaf does not lead to the root that it names');
  }
  return { wallet, proof };
}

function climb({ leaf, siblings }: Proof): ReturnType<typeof climbTree> {
  try {
    return climbTree(leaf, siblings);
  } catch (error) {
    throw new TreeDamaged((error as Error).message);
  }
}

function readSibling(given: unknown): Sibling {
  const found = objectIn(given, 'siblings');
  const onLeft = found.on_left;
  if (typeof onLeft !== 'boolean') throw new TreeDamaged('"on_left" is neither true nor false');
  return { hash: bytesOf(textIn(found, 'hash', hashForm)), sum: unitsIn(found, 'sum'), onLeft };
}

const hashForm = /^0x[0-9a-f]{64}$/;
const walletForm = /^0x[0-9a-f]{40}$/;
const unitsForm = /^\d{1,30}$/;

/** An amount that a tree can have; a larger one is refused where it is hashed. */
const unitsIn = (found: Found, name: string): bigint => BigInt(textIn(found, name, unitsForm));

function objectIn(found: unknown, name: string): Found {
  if (typeof found === 'object' && found !== null) return found as Found;
  throw new TreeDamaged(`"${name}" is no object`);
}
