// The Idempotency-Key of an order (ID-3). Hashes are plain words here.

import { expect, test } from 'vitest';
import { applyCommand } from '../../src/engine/apply.ts';
import { idempotencyKeysMax } from '../../src/engine/limits.ts';
import type { Time } from '../../src/units/units.ts';
import { placement } from './act.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, createWorld } from './world.ts';

const start = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  index 60000
`;

scenario(
  'ID-3 a repeated request with a known key returns the first order and places no second one',
  `
  ${start}
  anna buy 0.1 @ 59000 key k request r id x -> NEW
  anna buy 0.1 @ 59000 key k request r id x -> repeated
  anna has orders 1
  # Also when the order has ended since; the present state of it is what is answered.
  anna cancel x
  anna buy 0.1 @ 59000 key k request r id x -> repeated
  anna has orders 0
  # Keys are the account's own.
  ben buy 0.1 @ 59000 key k request other -> NEW
  `,
);

scenario(
  'ID-3 idempotencyConflict: a different request comes with a known key',
  `
  ${start}
  anna buy 0.1 @ 59000 key k request r -> NEW
  anna buy 0.2 @ 59000 key k request s -> idempotencyConflict
  anna buy 0.2 @ 59000 -> NEW
  `,
);

scenario(
  'ID-3 only accepted requests are remembered',
  `
  ${start}
  anna buy 10 @ 60000 key k request r -> marginInsufficient
  anna buy 0.1 @ 60000 key k request s -> NEW
  # A killed FOK was accepted.
  anna buy 0.1 @ 60000 FOK key f request r -> REJECTED
  anna buy 0.1 @ 60000 FOK key f request r -> repeated
  `,
);

scenario(
  'ID-3 ORD-10 order/test does not remember the key',
  `
  ${start}
  anna test buy 0.1 @ 59000 key k request r -> NEW
  anna buy 0.1 @ 59000 key k request s -> NEW
  `,
);

test('ID-3 the last thousand keys of an account are kept, and a new key replaces the oldest', () => {
  const world = play(createWorld(), start);
  const place = (number: number): string => {
    const words = `0.1 @ 59000 IOC key k${number} request r`.split(' ');
    const outcome = applyCommand(world.exchange, placement(world, 'anna', 'buy', words), 0 as Time);
    return outcome.kind === 'accepted' && outcome.repeated ? 'repeated' : 'placed';
  };
  for (let number = 0; number < idempotencyKeysMax; number += 1) place(number);
  expect(place(0)).toBe('repeated');
  expect(place(idempotencyKeysMax)).toBe('placed');
  expect(accountOf(world, 'anna').idempotency.size).toBe(idempotencyKeysMax);
  expect(place(0)).toBe('placed');
  expect(place(2)).toBe('repeated');
});

test('ID-3 a request without a key is not remembered', () => {
  const world = play(createWorld(), start);
  play(
    world,
    `
    anna buy 0.1 @ 59000 IOC
    anna trigger buy 0.1 STOP_MARKET stop 61000
    anna trigger buy 0.1 STOP_MARKET stop 61000
    anna withdraw 1
    `,
  );
  expect(accountOf(world, 'anna').idempotency.size).toBe(0);
});
