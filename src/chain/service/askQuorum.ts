// An answer counts when as many nodes have given the same one as must agree. It waits for no node
// longer than until then. It does not know what is asked.

import type { VaultNode } from '../vaultNode.ts';

/** How many nodes must agree: more than half of the usual three. */
export const quorum = 2;

/** Equal answers have equal texts. */
export const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

/** What one node has said to a question. */
export type Vote<Answer> = {
  /** undefined: it has failed. */
  readonly answer?: Answer;
  readonly error?: Error;
  /** Whether it is the answer of the quorum; undefined: it has failed, or there is no quorum. */
  readonly agrees?: boolean;
};

/** Receives each vote once, when it is known whether there is a quorum; late ones later. */
export type SeeVote<Answer, Node = VaultNode> = (node: Node, vote: Vote<Answer>) => void;

/** The answer of a quorum; undefined when all nodes have answered or failed and none has one. */
export function askQuorum<Answer, Node = VaultNode>(
  nodes: readonly Node[],
  ask: (node: Node) => Promise<Answer>,
  see: SeeVote<Answer, Node> = () => {},
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const votes = new Map<string, number>();
    const unseen: (() => void)[] = [];
    let decided: { readonly text: string | undefined } | undefined;
    let waiting = nodes.length;
    const decide = (text: string | undefined, answer: Answer | undefined): void => {
      decided = { text };
      for (const tell of unseen) tell();
      resolve(answer);
    };
    const settle = (tell: () => void): void => {
      waiting -= 1;
      if (decided === undefined) unseen.push(tell);
      else tell();
      if (waiting === 0 && decided === undefined) decide(undefined, undefined);
    };
    if (nodes.length === 0) decide(undefined, undefined);
    for (const node of nodes) {
      ask(node).then(
        (answer) => {
          const text = textOf(answer);
          const count = (votes.get(text) ?? 0) + 1;
          votes.set(text, count);
          if (count === quorum && decided === undefined) decide(text, answer);
          settle(() => {
            const agreed = decided?.text;
            see(node, { answer, ...(agreed !== undefined && { agrees: text === agreed }) });
          });
        },
        (error: Error) => settle(() => see(node, { error })),
      );
    }
  });
}

/** What each node answers; undefined for those that fail. */
export function askEach<Answer>(
  nodes: readonly VaultNode[],
  ask: (node: VaultNode) => Promise<Answer>,
): Promise<readonly (Answer | undefined)[]> {
  return Promise.all(nodes.map((node) => ask(node).catch(() => undefined)));
}

/**
 * The largest value that a quorum has reached: so many values are at least this. A single false
 * value, however large or small, moves it only among the honest ones.
 */
export function reachedByQuorum<Value extends bigint | number>(
  values: readonly Value[],
): Value | undefined {
  return values.toSorted((one, other) => (one > other ? -1 : one < other ? 1 : 0))[quorum - 1];
}
