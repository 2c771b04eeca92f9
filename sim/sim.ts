// The entry of all simulations: `npm run sim -- crash-day [--name value …]`. Each measures what
// the exchange does from its events, prints a report, ends with one line of JSON, and fails when a
// rule was broken. Which simulation a name means stands here; nothing else does.

type Run = (args: readonly string[]) => Promise<boolean>;

const simulations: Readonly<Record<string, () => Promise<Run>>> = {
  'crash-day': async () => (await import('./crashDay.ts')).runCrashDay,
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(simulations, name)) {
  process.stderr.write(`usage: npm run sim -- ${Object.keys(simulations).join(' | ')}\n`);
  process.exit(2);
}
try {
  const run = await simulations[name]!();
  process.exitCode = (await run(args)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exitCode = 1;
}
