// The deposits that the vault has and the engine has not, as facts for it: in the order of their
// indexes, with the hash that chains them.

import type { DepositFact, EngineView } from '../chainEngine.ts';
import { depositHash } from '../depositHash.ts';
import type { DepositSlot, Observation, VaultNode } from '../vaultNode.ts';
import { askQuorum } from './askQuorum.ts';
import type { NodeBook } from './createNodeBook.ts';

/** What a round reads, and what one batch of the engine's log takes. */
export const depositsPerRoundMax = 200;

export type DepositReading =
  | { readonly kind: 'facts'; readonly facts: readonly DepositFact[] }
  /** The vault at this block knows less than the engine. */
  | { readonly kind: 'behind' }
  /** The engine has counted other deposits than the vault. */
  | { readonly kind: 'differ' }
  | { readonly kind: 'noQuorum' };

type Counted = Pick<EngineView, 'depositCount' | 'depositsHash' | 'depositTotal'>;

export async function readDeposits(
  nodes: readonly VaultNode[],
  block: Observation,
  { engine, book }: { readonly engine: Counted; readonly book: NodeBook },
): Promise<DepositReading> {
  const missing = block.depositCount - engine.depositCount;
  if (missing < 0n) return { kind: 'behind' };
  if (missing === 0n) {
    const isSame = block.depositsHash === engine.depositsHash;
    return isSame ? { kind: 'facts', facts: [] } : { kind: 'differ' };
  }
  const count = Number(missing < depositsPerRoundMax ? missing : depositsPerRoundMax);
  // The slot before the first one has the sum from which its amount follows.
  const slots = await askQuorum(
    nodes,
    (node) => node.deposits(block.hash, engine.depositCount, count + 1),
    book.seeing(`deposits in block ${block.number}`),
  );
  if (slots === undefined || slots.length !== count + 1) return { kind: 'noQuorum' };
  return chainDeposits(slots, engine, block);
}

/** units = the sum up to a deposit − the sum up to the one before it */
function chainDeposits(
  [before, ...slots]: readonly DepositSlot[],
  engine: Counted,
  block: Observation,
): DepositReading {
  const facts: DepositFact[] = [];
  let [index, hash, sum] = [engine.depositCount, engine.depositsHash, engine.depositTotal];
  if (before!.cumulative !== sum) return { kind: 'differ' };
  for (const { account, cumulative } of slots) {
    const units = cumulative - sum;
    if (units <= 0n) return { kind: 'differ' };
    index += 1n;
    hash = depositHash(hash, index, { account, units });
    sum = cumulative;
    facts.push({ kind: 'deposit', index, account, units, hash });
  }
  const isWrong = index === block.depositCount && hash !== block.depositsHash;
  return isWrong ? { kind: 'differ' } : { kind: 'facts', facts };
}
