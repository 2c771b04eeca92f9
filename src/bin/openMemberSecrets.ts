// The secrets that all processes of a deployment share, as one of them uses them.

import { allApiKeys } from '../engine/views/exchange.ts';
import { createKeyArrivals } from '../gateway/keyArrivals.ts';
import type { RunningReplica } from '../replica/replica.ts';
import { systemScheduler } from '../std/scheduler.ts';
import type { Candidate, Seat } from './enterCluster.ts';
import type { OpenedSecrets } from './openCore.ts';
import { openSharedSecrets } from './openSharedSecrets.ts';
import { keepSwept } from './sweepOrphans.ts';

export type MemberSecrets = OpenedSecrets & {
  /** From now on this process removes what no command names. */
  readonly sweepAs: (seat: Seat, replica: RunningReplica) => void;
};

/** Before this process serves. */
export async function openMemberSecrets({ options, servers }: Candidate): Promise<MemberSecrets> {
  const { config, directory, journal } = options;
  const shared = await openSharedSecrets({ config, directory, servers });
  const report = (error: unknown): void => journal.warn((error as Error).message);
  let stopSweeping = (): void => {};
  return {
    ...shared,
    // Rows of keys that other processes are making belong to no command yet.
    sweep: () => {},
    sweepAs: (seat, replica) => {
      stopSweeping = keepSwept({ ...seat, ...config, replica, report });
    },
    serve: ({ exchange }, writer) => {
      const arrivals = createKeyArrivals({
        ...{ exchange, store: shared.store, writer, load: shared.load },
        ...{ scheduler: systemScheduler, onFailure: report },
      });
      arrivals.settle(allApiKeys(exchange));
      return arrivals;
    },
    close: () => {
      stopSweeping();
      shared.close();
    },
  };
}
