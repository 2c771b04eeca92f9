// Goal: derived state (liquidation index, holders, rankings, dirty accounts) decides nothing. A
// replica that is restored from a snapshot computes it again, one that never stopped has kept it;
// both must do the same. Method: storms in which accounts fall all the time, with twins restored
// again and again on the way.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { liveAccounts } from '../../src/engine/liveAccounts.ts';
import { hashEvent } from '../../src/engine/snapshot/eventHash.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { priceHash, stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createHash64, hashHex } from '../../src/std/hash.ts';
import type { Time } from '../../src/units/units.ts';
import { expectSame } from '../fixtures/expectSame.ts';
import { createStorm, drawCommand } from './stormWorld.ts';

const seeds = 12;
const commandsPerSeed = 2500;
const twinsMax = 3;

function restored(exchange: Exchange): Exchange {
  const sections: Buffer[] = [];
  encodeSnapshot(exchange, (section) => sections.push(section));
  return decodeSnapshot(sections);
}

/** Takes the events away; counts them by kind, and gives their hash. */
function takeEvents(exchange: Exchange, counts?: Map<string, number>): string {
  const hash = createHash64();
  for (const event of exchange.events) {
    hashEvent(hash, event);
    counts?.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
  }
  exchange.events = [];
  return hashHex(hash);
}

/** Whether an account or a position of an isolated one is being liquidated. */
const liquidating = (exchange: Exchange): boolean =>
  liveAccounts(exchange).some(
    (account) => account.flagged || account.positions.some((position) => position?.flagged),
  );

const hashesOf = (exchange: Exchange): string => `${stateHash(exchange)} ${priceHash(exchange)}`;

test('LIQ-1 LIQ-4 LIQ-5 a replica restored during liquidations continues like one that never stopped', () => {
  const counts = new Map<string, number>();
  let restoredAmid = 0;
  for (let seed = 500; seed < 500 + seeds; seed += 1) {
    const storm = createStorm(seed);
    const { exchange, prng } = storm;
    exchange.events = [];
    const twins: Exchange[] = [];
    for (let index = 0; index < commandsPerSeed; index += 1) {
      const where = `seed ${seed}, command ${index}`;
      const amid = liquidating(exchange);
      if (prng.below(amid ? 3 : 60) === 0) {
        if (twins.length === twinsMax) twins.splice(prng.below(twinsMax), 1);
        twins.push(restored(exchange));
        if (amid) restoredAmid += 1;
      }
      const command = drawCommand(storm);
      const timers = takeEvents(exchange, counts);
      for (const twin of twins) {
        if (exchange.time > twin.time) beginBatch(twin, exchange.time);
        expectSame(takeEvents(twin), timers, `${where}, its timers`);
      }
      applyCommand(exchange, command, 0 as Time);
      const events = takeEvents(exchange, counts);
      for (const twin of twins) {
        applyCommand(twin, command, 0 as Time);
        expectSame(takeEvents(twin), events, where);
        if (index % 50 === 0) expectSame(hashesOf(twin), hashesOf(exchange), where);
      }
    }
  }
  // At most half of what these seeds reach.
  expect(restoredAmid).toBeGreaterThanOrEqual(8);
  const least = { liquidationFlagged: 30, takenOver: 8, deleveraged: 7, triggerFired: 90 };
  for (const [kind, count] of Object.entries(least)) {
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(count);
  }
});
