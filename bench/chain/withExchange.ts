// The real program beside a local chain, bound to its vault.

import { join } from 'node:path';
import type { Vault } from '../../contracts/openVault.ts';
import { bindTo, chainedFlags } from '../../test/contracts/chainedExchange.ts';
import { quietFlags, type RunningServer, startServer } from '../../test/fixtures/startServer.ts';
import { createTemporaryDirectory } from '../../test/fixtures/temporaryDirectory.ts';
import { withStage } from './withStage.ts';

export type Exchange = {
  readonly stage: Vault;
  readonly server: RunningServer;
  readonly data: string;
};

/** Starts it, and removes everything at the end. */
export const withExchange = <T>(measure: (exchange: Exchange) => Promise<T>): Promise<T> =>
  withStage(async (stage) => {
    using temporary = createTemporaryDirectory();
    const data = join(temporary.path, 'data');
    const chained = await chainedFlags(stage, join(temporary.path, 'keys'));
    const unlimited = ['--rate-limit-scale', '1000000'];
    const server = await startServer({ data, flags: [...quietFlags, ...chained, ...unlimited] });
    try {
      await bindTo(stage, server);
      return await measure({ stage, server, data });
    } finally {
      await server.kill();
    }
  });
