// The blocks of a chain by a plan that does not wait for the chain: one in each interval.

import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalChain } from '../../contracts/openLocalChain.ts';
import { must } from '../../src/std/assert.ts';

export type PlannedBlocks = {
  readonly newest: () => number;
  /** When this block was asked for, by `performance.now()`. */
  readonly madeAt: (block: number) => number;
  readonly end: () => Promise<void>;
};

/** Nothing else may make blocks meanwhile. */
export async function mineByPlan(chain: LocalChain, blockMs: number): Promise<PlannedBlocks> {
  await chain.ask('evm_setAutomine', false);
  let newest = Number(await chain.ask('eth_blockNumber'));
  const times = new Map<number, number>();
  let isEnded = false;
  const begun = performance.now();
  const mining = (async (): Promise<void> => {
    for (let made = 1; !isEnded; made += 1) {
      await sleep(Math.max(0, begun + made * blockMs - performance.now()));
      const at = performance.now();
      await chain.ask('evm_mine');
      newest += 1;
      times.set(newest, at);
    }
  })();
  return {
    newest: () => newest,
    madeAt: (block) => must(times.get(block), `block ${block} was made by the plan`),
    end: async () => {
      isEnded = true;
      await mining;
    },
  };
}
