// Goal: the keeper's reports on a chain follow from the log, whenever the process is killed, and
// everybody who has the log finds a forged one. Method: the real program beside a local chain. Its
// clock stands still, and is ahead at each start, so that periods end there alone (KPR-1 … KPR-4).

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { addressOf, admin, keeper } from '../../contracts/openVault.ts';
import { keeperRole } from '../../src/chain/rpc/createReportReads.ts';
import { readReportLog } from '../../src/chain/rpc/readReportLog.ts';
import { createClient } from '../../src/client/createClient.ts';
import { runEvermark } from '../fixtures/runEvermark.ts';
import { quietFlags, type RunningServer, startServer } from '../fixtures/startServer.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { bindTo, keepMining, until, vaultFlags } from './chainedExchange.ts';
import { gasAddress, gasKey, giveCoins, writeKey } from './chainKeys.ts';
import { onChain } from './onChain.ts';

const million = 1_000_000n;
const periodMs = 300_000;

const healthOf = ({ http }: RunningServer) =>
  createClient({ baseUrl: http }).probes.getLiquidationHealth({ chain: 'fuji' });

onChain('the liquidation keeper on a chain', (open) => {
  test('KPR-1 KPR-3 reports go on after kill -9, and verify finds a forged one', async () => {
    using temporary = createTemporaryDirectory();
    const stage = await open();
    const { chain, vault } = stage;
    await giveCoins(chain);
    const stopMining = keepMining(chain);
    const data = join(temporary.path, 'data');
    const keyFile = writeKey(temporary.path, 'gas', gasKey);
    const chained = vaultFlags(stage);
    const begun = Date.now();
    const start = (periods: number): Promise<RunningServer> =>
      startServer({
        data,
        flags: [...quietFlags, ...chained, '--gas-key', keyFile],
        clockStopsAt: begun + periods * periodMs,
      });
    const verify = (server: RunningServer, words: readonly string[]) =>
      runEvermark(server, ['verify', '--data', data, '--reports', ...words]);
    let server = await start(0);
    const restart = async (periods: number): Promise<void> => {
      await server.kill();
      server = await start(periods);
    };
    const confirmed = (count: number) =>
      until(
        () => healthOf(server),
        ({ submissions }) => submissions.confirmed === count && submissions.pending === 0,
      );
    try {
      await bindTo(stage, server);
      await stage.fund(addressOf('alice'), 500n * million);
      await vault.write(addressOf('alice'), 'deposit', [vault.address, 500n * million]);
      await until(
        () => createClient({ baseUrl: server.http }).native.getInsuranceFund(),
        ({ balance }) => balance === '500',
      );
      expect(await vault.read('KEEPER_ROLE')).toBe(keeperRole);
      // The gas account may not report yet.
      expect(await healthOf(server)).toMatchObject({ enabled: false, keeper_address: null });
      await vault.write(admin, 'grantRole', [keeperRole, gasAddress]);
      await restart(2);
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50000' });
      expect(await confirmed(1)).toMatchObject({
        ...{ enabled: true, chain: 'fuji', keeper_address: gasAddress.toLowerCase() },
        submissions: { submitted: 0, failed: 0 },
      });
      await restart(4);
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50100' });
      await confirmed(2);
      const [first, second] = await readReportLog([chain.url], vault.address);
      expect(first).toMatchObject({ sequence: 1n, from: 0n });
      expect(second).toMatchObject({ sequence: 2n, from: first!.to });
      const rows = readFileSync(join(data, 'reports', '00000001.jsonl'), 'utf8').split('\n');
      expect(JSON.parse(rows[0]!)).toMatchObject({ sequence: 1, digest: first!.digest });
      expect(rows[1]).toContain('"kind":"fund","cause":"deposit"');
      const good = await verify(server, chained);
      expect(good.answer, good.errors).toMatchObject({
        ok: true,
        reports: { ok: true, count: 2, reported_to: Number(second!.to), wrong: [], gaps: [] },
      });
      // A key that was stolen reports what has not been; the keeper reports the stretch again.
      const forged = keccak256('0x01');
      await vault.write(keeper, 'report', [3n, second!.to, 2n ** 64n - 1n, forged]);
      await restart(6);
      await server.operator.setIndexPrice({ symbol: 'BTCUSDT', price: '50200' });
      await confirmed(4);
      const [, , , fourth] = await readReportLog([chain.url], vault.address);
      expect(fourth).toMatchObject({ sequence: 4n, from: second!.to });
      const bad = await verify(server, chained);
      expect(bad.code).toBe(1);
      expect(bad.answer).toMatchObject({
        ok: false,
        reports: { ok: false, count: 4, wrong: [{ sequence: 3, digest: forged }], gaps: [] },
      });
      const list = join(temporary.path, 'list.json');
      writeFileSync(list, JSON.stringify([{ sequence: 1, from: 0, to: 2, digest: forged }]));
      expect((await verify(server, [list])).answer).toMatchObject({ reports: { wrong_count: 1 } });
      expect(await server.stop()).toBe(0);
    } finally {
      await stopMining();
      await server.kill();
    }
  });
});
