// What each node has said since the round before: whether it answers, keeps up and agrees. It
// judges nothing over time (createNodeWatch.ts), and no vote depends on it.

import type { Heads, Observation, VaultNode } from '../vaultNode.ts';
import { type SeeVote, textOf, type Vote } from './askQuorum.ts';

/** From the least to the worst. A foreign node serves another chain or another contract. */
export const nodeProblems = ['away', 'behind', 'foreign', 'differs'] as const;
export type NodeProblem = (typeof nodeProblems)[number];

/** A node in one round. */
export type NodeSighting = {
  /** Its host. */
  readonly name: string;
  /** `unknown`: it has said too little to be judged. */
  readonly state: NodeProblem | 'good' | 'unknown';
  /** What it has said, for a person; empty: nothing. */
  readonly said: string;
};

/** Blocks that a node may be behind the newest or the final block that two nodes have. */
export const behindBlocksMax = 100n;

export type NodeBook = {
  readonly note: (node: VaultNode, state: NodeSighting['state'], said: string) => void;
  /** For `askQuorum`: what is asked names the question. */
  readonly seeing: <Answer>(asked: string) => SeeVote<Answer>;
  /** What all nodes have said, in their order, as a sentence. */
  readonly tell: () => string;
  /** Gives what was noted since the call before, and begins anew. */
  readonly take: () => readonly NodeSighting[];
};

type Note = Pick<NodeSighting, 'state' | 'said'>;

const ranks: readonly NodeSighting['state'][] = ['unknown', 'good', ...nodeProblems];
const nothing: Note = { state: 'unknown', said: '' };

export function createNodeBook(nodes: readonly VaultNode[]): NodeBook {
  const notes = new Map<VaultNode, Note>();
  const note: NodeBook['note'] = (node, state, said) => {
    const before = notes.get(node) ?? nothing;
    // The worst counts; of two that are equal, the later one says more.
    if (ranks.indexOf(state) >= ranks.indexOf(before.state)) notes.set(node, { state, said });
  };
  const read = (node: VaultNode): NodeSighting => ({
    name: node.name,
    ...(notes.get(node) ?? nothing),
  });
  return {
    note,
    seeing: (asked) => (node, vote) => note(node, stateOf(vote), saidOf(asked, vote)),
    tell: () =>
      nodes
        .map(read)
        .map(({ name, said }, at) => `node ${at + 1} (${name}): ${said || 'has said nothing'}`)
        .join('; '),
    take: () => {
      const taken = nodes.map(read);
      notes.clear();
      return taken;
    },
  };
}

function stateOf({ error, agrees }: Vote<unknown>): NodeSighting['state'] {
  if (error !== undefined) return 'away';
  // Without a quorum it is unknown which of them lies.
  if (agrees === undefined) return 'unknown';
  return agrees ? 'good' : 'differs';
}

const saidMax = 160;

function saidOf(asked: string, { answer, error }: Vote<unknown>): string {
  if (error !== undefined) return `no answer about ${asked}: ${error.message}`;
  const text = isObservation(answer) ? observationText(answer) : textOf(answer);
  const short = text.length > saidMax ? `${text.slice(0, saidMax)}…` : text;
  return `of ${asked} it says ${short}`;
}

export const headsText = ({ latest, finalized }: Heads): string =>
  `its newest block is ${latest}, its final one ${finalized}`;

const isObservation = (answer: unknown): answer is Observation =>
  (answer as Observation | null)?.depositsHash !== undefined;

function observationText(seen: Observation): string {
  const { hash, depositCount, depositsHash, paidTotal, held, isPaused, isExitOpen } = seen;
  return (
    `hash ${hash.slice(0, 18)}…, ${depositCount} deposits (${depositsHash.slice(0, 10)}…), ` +
    `paid ${paidTotal}, held ${held}${isPaused ? ', paused' : ''}${isExitOpen ? ', exit open' : ''}`
  );
}
