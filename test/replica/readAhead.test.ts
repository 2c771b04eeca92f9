// Goal: reading ahead changes nothing, whatever the commands name. Method: a seeded stream of all
// commands with every command read ahead, beside the same stream without.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { createExchange } from '../../src/engine/exchange.ts';
import { stateHash } from '../../src/engine/snapshot/stateHash.ts';
import { readAhead } from '../../src/replica/readAhead.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands, runStream, streamStart } from '../engine/commandStream.ts';

const count = 3000;

test.each([3, 4, 5])('reading ahead does not change the state, seed %i', (seed) => {
  const exchange = createExchange(43113);
  const kinds = new Set<Command['kind']>();
  const apply = (command: Command): void => {
    const sum = readAhead(exchange, [{ command }, undefined, { command }], 0);
    expect(Number.isNaN(sum)).toBe(false);
    kinds.add(command.kind);
    applyCommand(exchange, command, 0 as Time);
  };
  beginBatch(exchange, streamStart);
  for (const command of openingCommands()) apply(command);
  const stream = createStream(seed, () => exchange);
  for (let i = 0; i < count; i += 1) {
    const command = stream.next();
    if (stream.time() > exchange.time) beginBatch(exchange, stream.time());
    apply(command);
  }
  expect(stateHash(exchange)).toBe(stateHash(runStream(seed, count)));
  expect(kinds).toContain('placeOrder');
  expect(kinds).toContain('cancelOrder');
  expect(kinds).toContain('modifyOrder');
});
