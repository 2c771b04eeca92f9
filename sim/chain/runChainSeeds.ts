// `npm run sim -- chain [--from 1] [--count 1000] [--control oneConfirmation|releaseByLatest]`:
// many seeds of the chain service. It prints the first wrong thing of each seed that has one, and
// sums all up in one line of JSON.

import { readWhole } from '../life/lifeArguments.ts';
import { type ChainSeedResult, runChainSeed } from './runChainSeed.ts';
import type { Control } from './simulatedNode.ts';

const controls: readonly Control[] = ['none', 'oneConfirmation', 'releaseByLatest'];

export type ChainSeedsOptions = {
  readonly from: number;
  readonly count: number;
  readonly control: Control;
  /** Receives each seed that has ended. */
  readonly onResult?: (result: ChainSeedResult) => void;
};

/** Gives whether no seed had a wrong credit, a wrong payment or anything else. */
export async function runChainSeeds(args: readonly string[]): Promise<boolean> {
  const options = readOptions(args);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const sums = await runEachChainSeed({
    ...options,
    onResult: ({ seed, wrongs }) => {
      if (wrongs.length > 0) say(`seed ${seed}: ${wrongs[0]}`);
    },
  });
  say(JSON.stringify({ ...options, ...sums }));
  return sums.wrong === 0;
}

function readOptions(args: readonly string[]): ChainSeedsOptions {
  const named = new Map([
    ['--from', '1'],
    ['--count', '1000'],
    ['--control', 'none'],
  ]);
  for (let at = 0; at < args.length; at += 2) {
    const [name, value] = [args[at]!, args[at + 1] ?? ''];
    if (!named.has(name)) throw new Error(`chain has no option ${name}`);
    named.set(name, value);
  }
  const control = controls.find((each) => each === named.get('--control'));
  if (control === undefined) throw new Error(`--control is one of ${controls.join(', ')}`);
  const whole = (name: string): number => readWhole(named.get(name)!, name);
  return { from: whole('--from'), count: whole('--count'), control };
}

export type ChainSums = {
  /** Seeds in which something was wrong. */
  readonly wrong: number;
  readonly counts: Readonly<Record<string, number>>;
};

export async function runEachChainSeed(options: ChainSeedsOptions): Promise<ChainSums> {
  const { from, count, control, onResult } = options;
  const counts: Record<string, number> = {};
  let wrong = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runChainSeed(seed, control);
    for (const [name, times] of Object.entries(result.counts)) {
      counts[name] = (counts[name] ?? 0) + times;
    }
    if (result.wrongs.length > 0) wrong += 1;
    onResult?.(result);
  }
  return { wrong, counts };
}
