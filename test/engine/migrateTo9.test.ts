// Goal: a state of format 8 goes on without payments by account (VLT-8), and a log whose vault had
// paid before gives no leaves, because the log does not say to whom. Method: a present snapshot
// without the number that format 9 has added is migrated and compared.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { migrateSnapshot } from '../../src/engine/snapshot/migrations.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createByteWriter, reserveBytes, takeBytes, writeUint32 } from '../../src/std/bytes.ts';
import { beginSection, endSection, openSection } from '../../src/std/section.ts';
import type { AccountId } from '../../src/units/units.ts';
import { readOwed } from '../fixtures/readOwed.ts';
import { runStream } from './commandStream.ts';
import { bindVaultCommand } from './depositChain.ts';

const [headKind, paidKind] = [1, 23];

function formatEightSections(exchange: Exchange): Buffer[] {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => {
    const { kind, reader } = openSection(section);
    if (kind === paidKind) return;
    if (kind !== headKind) {
      sections.push(Buffer.from(section));
      return;
    }
    const writer = createByteWriter();
    beginSection(writer);
    takeBytes(reader, 4);
    writeUint32(writer, 8);
    const size = reader.end - reader.offset - 4;
    const from = takeBytes(reader, size);
    const at = reserveBytes(writer, size);
    reader.buffer.copy(writer.buffer, at, from, from + size);
    sections.push(endSection(writer, kind));
  });
  return sections;
}

/** As a log that was bound before its first money would have it. */
function bound(seed: number): Exchange {
  const exchange = runStream(seed, 1200);
  const { kind: _kind, chainId: _chain, ...binding } = bindVaultCommand;
  Object.assign(exchange.vault, { binding, depositTotal: exchange.funds.deposits });
  exchange.credits.clear();
  return exchange;
}

test.each([1, 2, 3])('VLT-8 a state of format 8 goes on without payments, seed %i', (seed) => {
  const exchange = bound(seed);
  exchange.funds.withdrawals += 7n;
  exchange.funds.deposits += 7n;
  exchange.vault.depositTotal += 7n;
  exchange.vault.paid.set(1 as AccountId, exchange.funds.withdrawals);
  expect(readOwed(exchange)).toBeDefined();
  const migrated = decodeSnapshot(migrateSnapshot(formatEightSections(exchange), 8));
  expect(migrated.vault.paid.size).toBe(0);
  expect(readOwed(migrated)).toBeUndefined();
  exchange.vault.paid.clear();
  expect(stateHash(migrated)).toBe(stateHash(exchange));
  expect(checkInvariants(migrated).failures).toEqual([]);
});
