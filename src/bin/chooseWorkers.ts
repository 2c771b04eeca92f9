// How many threads speak HTTP with clients when no setting says it: by the cores of the machine.

import type { Config } from '../config.ts';

/** The settings of a start, after the choice. */
export type ChosenConfig = Omit<Config, 'workers'> & { readonly workers: number };

type Machine = { readonly cores: number; readonly platform: string };

/** Trading has a core, and the log, the archivist and the runtime's threads have another one. */
const otherCores = 2;
const workersMax = 6;

/** 0 also where the platform cannot share a port among threads. */
export function workersFor({ cores, platform }: Machine): number {
  if (platform !== 'linux') return 0;
  return Math.max(0, Math.min(workersMax, cores - otherCores));
}

/** The settings with the number of workers, and the line that says it. */
export function chooseWorkers(
  config: Config,
  machine: Machine,
): { readonly config: ChosenConfig; readonly line: string } {
  const { workers } = config;
  if (workers !== 'auto')
    return { config: { ...config, workers }, line: saying(workers, 'as set') };
  const chosen = workersFor(machine);
  const reason =
    machine.platform === 'linux' ? `for ${machine.cores} cores` : `on ${machine.platform}`;
  return { config: { ...config, workers: chosen }, line: saying(chosen, reason) };
}

function saying(workers: number, reason: string): string {
  if (workers === 0) return `the trading thread serves clients: no gateway workers, ${reason}`;
  return `gateway workers serve clients: ${workers}, ${reason}`;
}
