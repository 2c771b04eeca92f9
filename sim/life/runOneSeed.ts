// `npm run sim -- SEED`: one run. It prints its options before the run and its result after it.

import { type LifeArguments, readLife } from './lifeArguments.ts';
import { resultLine } from './resultLine.ts';
import { runLife } from './runLife.ts';

/** Gives whether the run had no violation. */
export async function runOneSeed(seed: number, args: readonly string[]): Promise<boolean> {
  const read = readLife(seed, args);
  const { verbose } = read;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(JSON.stringify(shownOptions(read)));
  const tell = (what: string): void => void process.stderr.write(`${what}\n`);
  const result = await runLife({ ...read, tell: verbose ? tell : undefined });
  const [first] = result.violations;
  if (first !== undefined) {
    say(first);
    say(`npm run sim -- ${[seed, ...args].join(' ')}`);
  }
  say(resultLine(result));
  return first === undefined;
}

function shownOptions({
  seed,
  commands,
  faults,
  requestsPerSecond,
  mistake,
}: LifeArguments): object {
  const chosen = faults === undefined ? 'drawn' : [...faults];
  return { seed, commands, faults: chosen, requests_per_second: requestsPerSecond, mistake };
}
