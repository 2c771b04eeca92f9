// The entry of all simulations. A number is the seed of a run of the whole exchange; `seeds` runs
// many of them; a name runs the simulation of that name. Each ends with one line of JSON, and fails
// when a rule was broken. This file only finds the simulation for a name.

type Run = (args: readonly string[]) => Promise<boolean>;

const simulations: Readonly<Record<string, () => Promise<Run>>> = {
  attack: async () => (await import('./attack/attack.ts')).runAttack,
  chain: async () => (await import('./chain/runChainSeeds.ts')).runChainSeeds,
  'crash-day': async () => (await import('./crashDay.ts')).runCrashDay,
  lease: async () => (await import('./cluster/runProcessSeeds.ts')).runLeaseSeeds,
  links: async () => (await import('./cluster/runProcessSeeds.ts')).runLinkSeeds,
  seeds: async () => (await import('./life/runSeeds.ts')).runSeeds,
};

async function find(name: string): Promise<Run | undefined> {
  if (/^\d{1,9}$/.test(name)) {
    const { runOneSeed } = await import('./life/runOneSeed.ts');
    return (args) => runOneSeed(Number(name), args);
  }
  return Object.hasOwn(simulations, name) ? simulations[name]!() : undefined;
}

const [name = '', ...args] = process.argv.slice(2);
try {
  const run = await find(name);
  if (run === undefined) {
    process.stderr.write(`usage: npm run sim -- SEED | ${Object.keys(simulations).join(' | ')}\n`);
    process.exit(2);
  }
  process.exitCode = (await run(args)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exitCode = 1;
}
