// The chain service of a process that writes the log: it begins when the log is bound to the vault
// of the configuration, and ends with the process.

import { join, resolve } from 'node:path';
import type { Hex } from 'viem';
import type { ChainStanding } from '../api/deployment.ts';
import { owedTotal } from '../api/owedTotal.ts';
import { chainRuleOf } from '../chain/finalNumber.ts';
import { sharedHere } from '../chain/nodeUrls.ts';
import type { ChainSettings } from '../chain/service/chainMessage.ts';
import {
  type ChainThread,
  noFigures,
  startChainThread,
} from '../chain/service/startChainThread.ts';
import { type Config, ConfigError } from '../config.ts';
import { vaultOf } from '../engine/views/vault.ts';
import { systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { createReplicaEngine, type ReplicaEngineOptions } from './createReplicaEngine.ts';
import { makeOwnDirectory } from './dataDirectory.ts';
import type { Journal } from './journal.ts';
import {
  addressOf,
  readKeyFile,
  readKeySigner,
  readSigner,
  secretsOfSigner,
} from './readSigner.ts';

export type ChainConfig = Pick<
  Config,
  | 'data'
  | 'chain'
  | 'vault'
  | 'rpc'
  | 'gasKey'
  | 'signerKeys'
  | 'signers'
  | 'signerCap'
  | 'anchorInterval'
  | 'maxGasFee'
>;

export type OpenChain = Pick<ReplicaEngineOptions, 'replica' | 'archivist'> & {
  readonly config: ChainConfig;
  readonly journal: Journal;
};

export type RunningChain = {
  readonly standing: () => ChainStanding;
  readonly stop: () => Promise<void>;
};

/** How often it looks whether the log is bound by now. */
const bindingMs = 500;
const gwei = 1_000_000_000n;
const unitsPerUsdt = 1_000_000n;

/** Undefined when the configuration names no vault. Throws `ConfigError` for keys that are none. */
export async function openChain(options: OpenChain): Promise<RunningChain | undefined> {
  const { config, journal, replica } = options;
  const { exchange } = replica;
  if (config.vault === '') {
    if (vaultOf(exchange) !== undefined) {
      journal.warn(
        'the money of this log is in a vault; without --vault it neither comes nor goes',
      );
    }
    return undefined;
  }
  const settings = settingsOf(config);
  const { gasKey } = settings;
  const gasAccount = gasKey === undefined ? null : await addressOf(gasKey);
  if (gasKey !== undefined) journal.keepSecret(gasKey.slice(2));
  for (const secret of settings.signers.flatMap(secretsOfSigner)) journal.keepSecret(secret);
  warnOfShared(settings.urls, journal);
  const { depthWhenStalled } = chainRuleOf(settings.chainId);
  let thread: ChainThread | undefined;
  let looking: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const binding = vaultOf(exchange);
    if (binding === undefined) return;
    clearInterval(looking);
    if (binding.address !== settings.vault) {
      return journal.error(`the log is bound to ${binding.address}, not to ${settings.vault}`);
    }
    journal.info(`the chain service begins with the vault ${settings.vault}`);
    const { deployBlock } = binding;
    thread = startChainThread({
      settings: { ...settings, codeHash: binding.codeHash as Hex, deployBlock },
      engine: createReplicaEngine({ ...options, clock: systemClock }),
      scheduler: systemScheduler,
      owed: () => owedTotal(exchange),
      report: (message) => journal.error(`chain: ${message}`),
    });
  };
  begin();
  if (thread === undefined) {
    journal.warn('the log is not bound to its vault yet: `evermark chain bind`');
    looking = setInterval(begin, bindingMs);
  }
  return {
    standing: () => ({
      ...(thread?.figures() ?? noFigures),
      ...{ gasAccount, depthWhenStalled },
      terms: thread?.places.terms() ?? null,
      depositAt: (index) => thread?.places.depositAt(index),
      withdrawalAt: (id) => thread?.places.withdrawalAt(id),
    }),
    stop: async () => {
      clearInterval(looking);
      await thread?.stop();
    },
  };
}

function warnOfShared(urls: readonly string[], journal: Journal): void {
  const places = sharedHere(urls).join(', ');
  if (places === '') return;
  journal.warn(`nodes ${places} of --rpc are one node of this machine, whose word proves nothing`);
}

const namesIn = (list: string): readonly string[] => (list === '' ? [] : list.split(','));

function settingsOf(config: ChainConfig): Omit<ChainSettings, 'codeHash' | 'deployBlock'> {
  const { data, chain: chainId, vault, rpc, gasKey, signerKeys, maxGasFee } = config;
  if (rpc === '') throw new ConfigError('--vault needs --rpc: the nodes that serve its chain.');
  const signers = [
    ...namesIn(signerKeys).map((path) => readKeySigner(path, chainId)),
    ...namesIn(config.signers).map((name) => readSigner(name, chainId)),
  ];
  const signedDirectory = join(resolve(data), 'signers');
  if (signers.length > 0) makeOwnDirectory(signedDirectory);
  return {
    ...{ chainId, signers, signedDirectory, anchorInterval: config.anchorInterval },
    vault: vault.toLowerCase() as Hex,
    urls: rpc.split(','),
    gasKey: gasKey === '' ? undefined : readKeyFile(gasKey),
    unitsPerHourMax: BigInt(config.signerCap) * unitsPerUsdt,
    maxFeeLimit: BigInt(maxGasFee) * gwei,
  };
}
