// What a vault says of its exit and of wallets that leave, in one block on which two nodes agree.
// Events decide nothing: a node may leave one out.

import type { Hex } from 'viem';
import { readArtifact } from '../artifact.ts';
import type { Claim, ExitState, ExitWallet, LateDeposit } from '../exit/planExit.ts';
import type { VaultNode } from '../vaultNode.ts';
import { createRpc } from './createRpc.ts';
import { createVaultReader, type VaultReader } from './createVaultReader.ts';
import { readByHand } from './readByHand.ts';
import { revertOf } from './revertOf.ts';

const limits = { timeoutMs: 10_000, bytesMax: 1_000_000 };
const depositsPerPageMax = 1000;
/** Nodes bound the calls of one request. */
const walletsPerRequest = 20;

type Slot = Omit<LateDeposit, 'isRegistered'> & { readonly account: Hex };

/** Wallets in lower case, each once. Rejects when too few nodes give the same answer. */
export function readExit(
  urls: readonly string[],
  vault: Hex,
  wallets: readonly Hex[],
  depositsPerPage = depositsPerPageMax,
): Promise<ExitState> {
  const { abi } = readArtifact('EvermarkVault');
  return readByHand(urls, vault, async (node, block, { url, seen }) => {
    const reader = createVaultReader(createRpc({ url, ...limits }), vault, abi);
    const { anchor, acceptedAt: anchoredAt } = await node.lastAnchor(block);
    const [silence, openedAt, exitHeld, exitOwed] = (await reader.all(block, [
      ...['exitSilence', 'exitOpenedAt', 'exitHeld', 'exitOwed'],
    ])) as [bigint, bigint, bigint, bigint];
    const range = { from: anchor.depositCount + 1n, to: seen.depositCount };
    const late = await readLate(node, block, range, depositsPerPage);
    const since = late.reduce((sum, { units }) => sum + units, 0n);
    const isOpen = openedAt > 0n;
    return {
      ...{ time: seen.time, anchor, anchoredAt, silence, openedAt },
      held: isOpen ? exitHeld : seen.held,
      owed: isOpen ? exitOwed : anchor.sum + since,
      wallets: await readWallets(reader, block, wallets, late),
    };
  });
}

/** The deposits with these indexes, both included. */
async function readLate(
  node: VaultNode,
  block: Hex,
  { from, to }: { readonly from: bigint; readonly to: bigint },
  perPage: number,
): Promise<readonly Slot[]> {
  let [before] = await node.deposits(block, from - 1n, 1);
  const late: Slot[] = [];
  for (let next = from; next <= to; next += BigInt(perPage)) {
    const page = await node.deposits(block, next, Math.min(Number(to - next) + 1, perPage));
    for (const [at, slot] of page.entries()) {
      const units = slot.cumulative - before!.cumulative;
      late.push({ index: next + BigInt(at), account: slot.account, units });
      before = slot;
    }
  }
  return late;
}

async function readWallets(
  reader: VaultReader,
  block: Hex,
  addresses: readonly Hex[],
  late: readonly Slot[],
): Promise<readonly ExitWallet[]> {
  const read = addresses.flatMap((address) =>
    ['walletOf', 'paidSince', 'claimOf'].map((functionName) => ({ functionName, args: [address] })),
  );
  const found: unknown[] = [];
  for (let from = 0; from < read.length; from += 3 * walletsPerRequest) {
    found.push(...(await reader.read(block, read.slice(from, from + 3 * walletsPerRequest))));
  }
  return Promise.all(
    addresses.map(async (address, at) => {
      const [paid] = found[3 * at] as [bigint];
      const claim = claimOf(found[3 * at + 2] as Parameters<typeof claimOf>[0]);
      const own = late.filter(({ account }) => account === address);
      const deposits = await markRegistered(reader, block, own, claim.deposits);
      return { address, paid, paidSince: found[3 * at + 1] as bigint, claim, deposits };
    }),
  );
}

const claimOf = ([deposits, leafUnits, leafWithdrawn, hasLeaf, taken]: readonly [
  bigint,
  bigint,
  bigint,
  boolean,
  bigint,
]): Claim => ({ deposits, leafUnits, leafWithdrawn, hasLeaf, taken });

/** The sum of the registered ones says which they are, unless it is a part: then each is tried. */
async function markRegistered(
  reader: VaultReader,
  block: Hex,
  own: readonly Slot[],
  registered: bigint,
): Promise<readonly LateDeposit[]> {
  const all = own.reduce((sum, { units }) => sum + units, 0n);
  const marked: LateDeposit[] = [];
  for (const { index, units } of own) {
    const isPart = registered > 0n && registered < all;
    const isRegistered = isPart ? await isKnown(reader, block, index) : registered > 0n;
    marked.push({ index, units, isRegistered });
  }
  return marked;
}

/** The contract refuses a deposit that it has registered. */
async function isKnown(reader: VaultReader, block: Hex, index: bigint): Promise<boolean> {
  const { abi } = readArtifact('EvermarkVault');
  try {
    await reader.one(block, 'registerDeposits', [[index]]);
    return false;
  } catch (error) {
    if (revertOf(error as Error, abi)?.name === 'DepositInvalid') return true;
    throw error;
  }
}
