// `evermark chain signer serve`: a signer for the chain services of other operators. It follows its
// own replica of the log, and signs what that replica has open, up to its cap of the hour.

import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hex } from 'viem';
import { chainRuleOf } from '../chain/finalNumber.ts';
import type { SignerSettings } from '../chain/signers/createSigners.ts';
import { ConfigError } from '../config.ts';
import { lockDirectory } from '../log/file/lockDirectory.ts';
import { systemClock } from '../std/clock.ts';
import { type DataDirectory, makeOwnDirectory } from './dataDirectory.ts';
import { createJournal, type Journal } from './journal.ts';
import { type OwnReplica, openOwnReplica } from './openOwnReplica.ts';
import { readKeyFile, secretsOfSigner } from './readSigner.ts';

export type ServeOwnSigner = {
  /** The log that it follows. */
  readonly directory: DataDirectory;
  /** Its key. */
  readonly signer: SignerSettings;
  /** The file with the secret that the callers have too. */
  readonly secretFile: string;
  /** Keeps what it has signed; of this signer alone. */
  readonly state: string;
  readonly host: string;
  readonly port: number;
  /** What it signs within an hour, in units. */
  readonly unitsPerHourMax: bigint;
  /** Stretches of trees, milliseconds; 0: it signs no anchors. */
  readonly treeIntervalMs: number;
  readonly journal?: Journal;
  /** Receives where it serves. */
  readonly onServing: (serving: { readonly address: Hex; readonly port: number }) => void;
  readonly stopped: Promise<unknown>;
};

/** How often it looks for new batches. */
const followMs = 250;

/** Resolves when it was stopped. Rejects with what stops it: a supervisor starts it again. */
export async function serveOwnSigner(options: ServeOwnSigner): Promise<void> {
  const { directory, host, port, unitsPerHourMax, treeIntervalMs, stopped } = options;
  const journal = options.journal ?? createJournal('info');
  const { signer: settings } = options;
  if (settings.kind === 'peer') throw new ConfigError('A signer serves its own key alone.');
  const secret = readKeyFile(options.secretFile);
  for (const each of [secret.slice(2), ...secretsOfSigner(settings)]) journal.keepSecret(each);
  const state = resolve(options.state);
  makeOwnDirectory(state);
  const lock = lockDirectory(state);
  try {
    const [{ cappedChecks, createSigners }, { createSignerDoor }, { serveSigner }] =
      await Promise.all([
        import('../chain/signers/createSigners.ts'),
        import('../chain/signers/createSignerDoor.ts'),
        import('../chain/signers/serveSigner.ts'),
      ]);
    const replica = await openOwnReplica(directory, {
      report: (message) => journal.warn(message),
      ...(treeIntervalMs > 0 && { treeIntervalMs }),
    });
    const { place } = replica;
    const [signer] = createSigners({
      ...{ rule: chainRuleOf(place.chainId), place, signers: [settings] },
      checkOf: cappedChecks({
        ...{ replica, unitsPerHourMax, directory: state },
        interval: BigInt(Math.max(1, treeIntervalMs / 1000)),
      }),
    });
    const { address } = signer!;
    const door = createSignerDoor({
      ...{ place, signer: signer!, clock: systemClock },
      secret: Buffer.from(secret.slice(2), 'hex'),
      report: (message) => journal.warn(`a request is refused: ${message}`),
    });
    const health = () => ({ ...place, signer: address, ...replica.standing() });
    const served = await serveSigner({ host, port, door, health });
    try {
      journal.info(`signer ${address} serves at ${host}:${served.port} for ${place.vault}`);
      options.onServing({ address, port: served.port });
      await followUntil(stopped, replica);
    } finally {
      await served.close();
      replica.close();
    }
  } finally {
    lock.release();
  }
}

/** A step of the log that cannot be applied ends it: what it knows is no longer the log. */
async function followUntil(
  stopped: Promise<unknown>,
  { follow, makeTrees }: Pick<OwnReplica, 'follow' | 'makeTrees'>,
): Promise<void> {
  let isStopped = false;
  const stop = stopped.then(() => {
    isStopped = true;
  });
  while (!isStopped) {
    await follow();
    if (makeTrees()) {
      await nextTurn();
      continue;
    }
    let timer: NodeJS.Timeout | undefined;
    const rest = new Promise((wake) => {
      timer = setTimeout(wake, followMs);
    });
    await Promise.race([stop, rest]);
    clearTimeout(timer);
  }
}
