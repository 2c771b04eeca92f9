// Looks up where deposits and withdrawals are on the chain, and the vault's terms, for what is
// shown. Two nodes must agree here, too; what they do not agree on stays unknown. A round asks for
// one range of blocks: the newest first, then older ones down to a bound. No client can cause a
// request.

import type { BlockRange, KnownBlock, LookedUp, LookupNode, VaultTerms } from '../lookupNode.ts';
import { askQuorum } from './askQuorum.ts';

/** Blocks of one request: some public nodes refuse more. */
const spanMax = 2000n;
/** How far it looks back at its start: a day of the slowest chains, some hours of the fastest. */
const lookbackMax = 40_000n;
/** The terms are read once in so many rounds. */
const termsEvery = 10;

export type Lookups = {
  /** Never rejects: what fails is tried again in the next round. */
  readonly look: (block: KnownBlock) => Promise<LookedUp>;
};

type Memory = {
  /** All blocks above `low` up to `high` are looked up; the oldest that will be is `oldest`. */
  high: bigint;
  low: bigint;
  oldest: bigint;
  /** Blocks of the next request: fewer after a failure, as nodes have limits of their own. */
  span: bigint;
  turn: number;
};

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

export function createLookups(nodes: readonly LookupNode[]): Lookups {
  const memory: Memory = { high: -1n, low: -1n, oldest: 0n, span: spanMax, turn: 0 };
  const lookUpPlaces = async (block: KnownBlock): Promise<LookedUp['places']> => {
    const range = nextRange(memory, block.number);
    if (range === undefined) return [];
    const found = await askQuorum(nodes, (node) => node.places(block, range));
    if (found === undefined) {
      memory.span = larger(memory.span / 2n, 1n);
      return [];
    }
    memory.span = smaller(memory.span * 2n, spanMax);
    if (range.first > memory.high) memory.high = range.last;
    else memory.low = range.first - 1n;
    return found;
  };
  const readTerms = async (block: KnownBlock): Promise<VaultTerms | undefined> => {
    if (memory.turn % termsEvery !== 0) return undefined;
    return askQuorum(nodes, (node) => node.terms(block));
  };
  return {
    look: async (block) => {
      const [places, terms] = await Promise.all([lookUpPlaces(block), readTerms(block)]);
      // Without an answer the next round asks again.
      if (memory.turn % termsEvery !== 0 || terms !== undefined) memory.turn += 1;
      return { places, terms };
    },
  };
}

/** What is next; undefined when all is looked up. Beyond the bound a gap stays unknown. */
function nextRange(memory: Memory, newest: bigint): BlockRange | undefined {
  if (memory.high < 0n || newest - memory.high > lookbackMax) {
    memory.high = larger(newest - memory.span, -1n);
    memory.low = memory.high;
    memory.oldest = larger(newest - lookbackMax, 0n);
  }
  const { high, low, oldest, span } = memory;
  if (high < newest) return { first: high + 1n, last: smaller(high + span, newest) };
  if (low < oldest) return undefined;
  return { first: larger(low - span + 1n, oldest), last: low };
}
