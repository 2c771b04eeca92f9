// A chain service that is killed: its calls are answered for a while, then never again.

import type { ChainParts } from '../../src/chain/service/chainParts.ts';

export type Dying = {
  readonly parts: ChainParts;
  readonly died: Promise<'died'>;
  /** How many calls were made. */
  readonly made: () => number;
};

/** The service's calls are answered so many times; the next one acts and has no answer. */
export function dieAfter(parts: ChainParts, calls: number): Dying {
  let left = calls;
  let die = (_: 'died'): void => {};
  const died = new Promise<'died'>((resolve) => {
    die = resolve;
  });
  const mortal = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]) => [
        name,
        typeof value !== 'function' || name === 'view'
          ? value
          : async (...args: unknown[]) => {
              left -= 1;
              const isLast = left === -1;
              if (left < -1) return new Promise(() => {});
              const answer = (async () => value(...args))();
              if (!isLast) return answer;
              // Whether it succeeds or fails.
              await answer.catch(() => {});
              die('died');
              return new Promise(() => {});
            },
      ]),
    ) as Port;
  const { nodes, engine, signers, gasAccount } = parts;
  return {
    died,
    made: () => calls - left,
    parts: {
      ...parts,
      nodes: nodes.map(mortal),
      engine: mortal(engine),
      signers: signers.map(mortal),
      gasAccount: mortal(gasAccount!),
    },
  };
}
