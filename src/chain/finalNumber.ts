// Which block of a chain is final, for each chain on which a deployment may be. It asks no node.

import type { Heads } from './vaultNode.ts';

/** What the service must know of a chain. */
export type ChainRule = {
  readonly chainId: number;
  /** Whether its money is play money, so that a key may lie in a local file. */
  readonly isTestnet: boolean;
  /**
   * The depth at which a block counts as final although the nodes do not call it so; null: only
   * what they call final is.
   */
  readonly depthWhenStalled: bigint | null;
};

const rules: readonly ChainRule[] = [
  { chainId: 43114, isTestnet: false, depthWhenStalled: null },
  { chainId: 43113, isTestnet: true, depthWhenStalled: null },
  { chainId: 42161, isTestnet: false, depthWhenStalled: null },
  { chainId: 421614, isTestnet: true, depthWhenStalled: null },
  // Its fast finality needs two thirds of the validators in time, and stalls when they are not.
  { chainId: 56, isTestnet: false, depthWhenStalled: 120n },
];

/** Throws when no deployment may be on this chain. */
export function chainRuleOf(chainId: number): ChainRule {
  const rule = rules.find((each) => each.chainId === chainId);
  if (rule === undefined) throw new Error(`chain ${chainId} is none on which a vault may be`);
  return rule;
}

/** max(what the node calls final, latest − depth when stalled) */
export function finalNumber(rule: ChainRule, { latest, finalized }: Heads): bigint {
  const { depthWhenStalled } = rule;
  if (depthWhenStalled === null || latest - finalized <= depthWhenStalled) return finalized;
  return latest - depthWhenStalled;
}
