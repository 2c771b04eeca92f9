// An answer counts when as many nodes have given the same one as must agree. It waits for no node
// longer than until then. It does not know what is asked.

import type { VaultNode } from '../vaultNode.ts';

/** How many nodes must agree: more than half of the usual three. */
export const quorum = 2;

/** Equal answers have equal texts. */
export const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

/** The answer of a quorum; undefined when all nodes have answered or failed and none has one. */
export function askQuorum<Answer, Node = VaultNode>(
  nodes: readonly Node[],
  ask: (node: Node) => Promise<Answer>,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const votes = new Map<string, number>();
    let waiting = nodes.length;
    const end = (): void => {
      waiting -= 1;
      if (waiting === 0) resolve(undefined);
    };
    if (nodes.length < quorum) resolve(undefined);
    for (const node of nodes) {
      ask(node).then((answer) => {
        const text = textOf(answer);
        const count = (votes.get(text) ?? 0) + 1;
        votes.set(text, count);
        if (count === quorum) resolve(answer);
        end();
      }, end);
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
