// The auditor of a campaign of kills finds what it is there for, and faults are drawn as promised.

import { expect, test } from 'vitest';
import { createAuditor } from '../../kills/createAuditor.ts';
import { drawFaults, type FaultName, faultNames, faults } from '../../kills/faults.ts';
import { encodeCommand } from '../../src/engine/codec/commandCodec.ts';
import { createByteWriter, writtenBytes } from '../../src/std/bytes.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Time } from '../../src/units/units.ts';
import { orderCommand } from '../fixtures/orderCommands.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { makeLog } from '../log/postgres/typeMove.ts';

const order = { account: 1, market: 1, side: 1, lots: 1, ticks: 1 } as const;

function batchOf(position: number, clientOrderId: string, hash = 'ab'.repeat(32)) {
  const writer = createByteWriter();
  encodeCommand(writer, orderCommand({ ...order, clientOrderId }), 1 as Time);
  const commands = Buffer.from(writtenBytes(writer));
  return { position, hash: Buffer.from(hash, 'hex'), count: 1, commands };
}

test('an order that is in the log twice is found, and one that is not there', () => {
  const auditor = createAuditor();
  auditor.takeBatch(batchOf(1, 'one'));
  auditor.takeBatch(batchOf(2, 'two'));
  // The exchange names an order whose client does not.
  auditor.takeBatch(batchOf(3, ''));
  auditor.takeBatch(batchOf(4, ''));
  expect([auditor.hasOrder('one'), auditor.hasOrder('three')]).toEqual([true, false]);
  expect(() => auditor.takeBatch(batchOf(5, 'one'))).toThrow(
    'order one was executed twice: in batches 1 and 5',
  );
});

test('a local copy that is not the log is found', async () => {
  using copy = createTemporaryDirectory();
  const hash = await makeLog(copy.path, 1);
  const auditor = createAuditor();
  auditor.takeBatch(batchOf(1, 'one', hash));
  auditor.checkCopy('A', copy.path);
  const other = createAuditor();
  other.takeBatch(batchOf(1, 'one'));
  expect(() => other.checkCopy('A', copy.path)).toThrow('A has another batch 1 than the log');
});

test('a seed draws the same faults, all of them, and never two at the database', () => {
  const drawn = (seed: number) => drawFaults(createPrng(seed), faultNames);
  const met = new Set<FaultName>();
  for (let seed = 1; seed <= 400; seed += 1) {
    const round = drawn(seed);
    expect(drawn(seed)).toEqual(round);
    expect(round.filter(({ name }) => faults[name].ofServers).length).toBeLessThan(2);
    for (const { name } of round) met.add(name);
  }
  expect([...met].sort()).toEqual([...faultNames].sort());
});
