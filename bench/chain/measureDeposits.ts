// Many deposits in one block beside the real program: in how many batches of its log they come.

import { addressOf } from '../../contracts/openVault.ts';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { decodeCommand } from '../../src/engine/codec/commandCodec.ts';
import { openLogReader } from '../../src/log/file/openLogReader.ts';
import { createByteReader } from '../../src/std/bytes.ts';
import { keepMining, nativeOf, until } from '../../test/contracts/chainedExchange.ts';
import type { ChainBench } from '../chain.ts';
import { check, say } from '../report.ts';
import { depositsPerBlock, mineDeposits } from './mineDeposits.ts';
import { withExchange } from './withExchange.ts';

export const measureDeposits: ChainBench = () =>
  withExchange(async ({ stage, server, data }) => {
    const accounts = Array.from({ length: depositsPerBlock }, (_, at) => addressOf(`owner ${at}`));
    const blocks = await mineDeposits(stage, accounts, 1_000_000n);
    check(blocks === 1, 'all deposits are in one block');
    const stopMining = keepMining(stage.chain);
    try {
      await until(
        () => nativeOf(server).getVault(),
        ({ vault }) => vault.deposit_count === depositsPerBlock,
      );
    } finally {
      await stopMining();
    }
    await server.stop();
    const counts = depositsByBatch(data);
    check(counts.reduce((sum, count) => sum + count, 0) === depositsPerBlock, 'each counts once');
    say(`${depositsPerBlock} deposits of one block: batches with ${counts.join(', ')} of them`);
    return { deposits: depositsPerBlock, deposit_batches: counts.length };
  });

/** How many deposits each batch has that has any. */
function depositsByBatch(data: string): readonly number[] {
  const reader = openLogReader(findDataDirectory(data).log);
  const counts: number[] = [];
  for (const { count, commands } of reader.read(1, reader.head().position)) {
    const bytes = createByteReader(commands);
    let deposits = 0;
    for (let index = 0; index < count; index += 1) {
      if (decodeCommand(bytes).command.kind === 'creditDeposit') deposits += 1;
    }
    if (deposits > 0) counts.push(deposits);
  }
  return counts;
}
