// Reads the command line of a run and of a campaign of runs.

import { type FaultName, faultNames } from './faults.ts';
import { type LifeOptions, type Mistake, mistakes } from './lifeWorld.ts';

const commandsDefault = 20_000;
const requestsPerSecondDefault = 400;

export type LifeArguments = LifeOptions & { readonly verbose: boolean };

/** Throws a sentence for the person who typed it. */
export function readLife(seed: number, args: readonly string[]): LifeArguments {
  const named = readNamed(
    args,
    ['--commands', '--faults', '--no', '--mistake', '--rate'],
    ['--verbose', '--no-judge'],
  );
  const commands = readWhole(named.get('--commands') ?? String(commandsDefault), '--commands');
  const rate = readWhole(named.get('--rate') ?? String(requestsPerSecondDefault), '--rate');
  const mistake = named.get('--mistake');
  if (mistake !== undefined && !mistakes.includes(mistake as Mistake)) {
    throw new Error(`--mistake is one of ${mistakes.join(', ')}`);
  }
  return {
    seed,
    commands,
    faults: readFaults(named.get('--faults'), named.get('--no')),
    requestsPerSecond: rate,
    judged: !named.has('--no-judge'),
    mistake: mistake as Mistake | undefined,
    verbose: named.has('--verbose'),
  };
}

/** Names with their values; flags have none. Throws for any other word. */
export function readNamed(
  args: readonly string[],
  names: readonly string[],
  flags: readonly string[] = [],
): Map<string, string> {
  const named = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const name = args[at]!;
    if (flags.includes(name)) named.set(name, '');
    else if (names.includes(name) && args[at + 1] !== undefined) {
      at += 1;
      named.set(name, args[at]!);
    } else
      throw new Error(`${name} is none of ${[...names, ...flags].join(', ')}, or has no value`);
  }
  return named;
}

export function readWhole(text: string, name: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} is a whole number, not ${text}`);
  return Number(text);
}

/** undefined: every run draws its own. `none` chooses none. */
function readFaults(
  chosen: string | undefined,
  without: string | undefined,
): ReadonlySet<FaultName> | undefined {
  if (chosen === undefined && without === undefined) return undefined;
  const wanted = chosen === undefined ? faultNames : chosen === 'none' ? [] : split(chosen);
  const unwanted = new Set(without === undefined ? [] : split(without));
  return new Set(wanted.filter((name) => !unwanted.has(name)));
}

function split(text: string): FaultName[] {
  return text.split(',').map((name) => {
    if (faultNames.includes(name as FaultName)) return name as FaultName;
    throw new Error(`${name} is no fault; there are ${faultNames.join(', ')}`);
  });
}
