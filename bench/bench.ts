// The entry of all benchmarks: `npm run bench -- limits | engine | log | restart | gateway | risk
// | triggers | history | metrics | streams | latency [DIR] | beside DIR | page | cluster | chain
// | hostile | soak [--name value …]`. Without a name it runs all except the last six, which take
// long or need more than this checkout. Then it prints one table. Each benchmark checks its own
// result and ends with one line of JSON.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runAllBenches } from './runAllBenches.ts';

type Run = (args: readonly string[]) => Promise<void>;

const benchmarks: Readonly<Record<string, string>> = {
  limits: 'runLimitsBench',
  engine: 'runEngineBench',
  log: 'runLogBench',
  restart: 'runRestartBench',
  gateway: 'runGatewayBench',
  risk: 'runRiskBench',
  triggers: 'runTriggersBench',
  history: 'runHistoryBench',
  metrics: 'runMetricsBench',
  streams: 'runStreamsBench',
  latency: 'runLatencyBench',
  beside: 'runBesideBench',
  page: 'runPageBench',
  cluster: 'runClusterBench',
  chain: 'runChainBench',
  hostile: 'runHostileBench',
  soak: 'runSoakBench',
};

/** They run only when they are named. */
const alone: ReadonlySet<string> = new Set([
  'beside',
  'page',
  'cluster',
  'chain',
  'hostile',
  'soak',
]);

async function findBenchmark(name: string): Promise<Run> {
  const file = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(file)) throw new Error(`the benchmark "${name}" is missing: no ${file}`);
  const module: Readonly<Record<string, unknown>> = await import(`./${name}.ts`);
  const run = module[benchmarks[name]!];
  if (typeof run !== 'function') throw new Error(`${file} exports no ${benchmarks[name]}`);
  return run as Run;
}

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(benchmarks, name)) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(benchmarks).join(' | ')}\n`);
  process.exit(2);
}
try {
  if (name === undefined)
    await runAllBenches(Object.keys(benchmarks).filter((each) => !alone.has(each)));
  else await (await findBenchmark(name))(args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
