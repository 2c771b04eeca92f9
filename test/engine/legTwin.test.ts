// Goal: legs never open, never close more than their parent has opened, and wait with the lots that
// the rules give them (ATT-2 … ATT-4). Method: random commands on a crowded exchange, with legs on
// most orders; a model that only reads events must agree after every command. EVERMARK_LEGS sets
// the number of commands of each seed.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { createPrng } from '../../src/std/prng.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands, streamStart } from './commandStream.ts';
import { createLegModel, followCommand } from './legModel.ts';
import { withLegs } from './legStream.ts';

const commands = Number(process.env.EVERMARK_LEGS ?? 1500);

/** Most orders that open bring legs. */
function crowded(command: Command, draw: ReturnType<typeof createPrng>): Command {
  if (command.kind !== 'placeOrder' && command.kind !== 'placeTrigger') return command;
  if (command.attached !== undefined) return command;
  return withLegs(draw, command, { mid: [50_000, 3000, 700][command.market] ?? 100, share: 2 });
}

test.each([1, 2, 3, 4, 106, 248])(
  'ATT-2 ATT-3 ATT-4 the legs agree with a naive model after every command, seed %i',
  (seed) => {
    let exchange: Exchange = createExchange(43113);
    beginBatch(exchange, streamStart);
    for (const command of openingCommands()) applyCommand(exchange, command, 0 as Time);
    const model = createLegModel();
    const stream = createStream(seed, () => exchange);
    const draw = createPrng(seed + 77);
    const seen = { legs: 0, resized: 0, fired: 0, pairEnds: 0 };
    exchange.events = [];
    for (let i = 0; i < commands; i += 1) {
      const command = crowded(stream.next(), draw);
      if (stream.time() > exchange.time) beginBatch(exchange, stream.time());
      applyCommand(exchange, command, 0 as Time);
      const { events } = exchange;
      followCommand(model, events, exchange);
      expect(model.failures, `seed ${seed}, command ${i}: ${JSON.stringify(command)}`).toEqual([]);
      for (const event of events) {
        if (event.kind === 'triggerPlaced' && event.trigger.pair) seen.legs += 1;
        if (event.kind === 'triggerResized') seen.resized += 1;
        if (event.kind === 'triggerFired' && model.legOrders.has(event.order)) seen.fired += 1;
        if (event.kind === 'orderEnded' && event.order.cancelReason === 'PAIR') seen.pairEnds += 1;
      }
      exchange.events = [];
      if (i % 100 !== 99) continue;
      expect(checkInvariants(exchange).failures, `seed ${seed}, command ${i}`).toEqual([]);
      const hash = stateHash(exchange);
      const sections: Buffer[] = [];
      encodeSnapshot(exchange, (section) => sections.push(Buffer.from(section)));
      exchange = decodeSnapshot(sections);
      expect(stateHash(exchange)).toBe(hash);
    }
    expect(seen.legs).toBeGreaterThan(commands / 20);
    expect(seen.resized).toBeGreaterThan(commands / 40);
    expect(seen.fired).toBeGreaterThan(5);
  },
);
