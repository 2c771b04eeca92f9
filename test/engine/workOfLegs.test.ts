// ORD-14: what legs and referrers cost. Method: the same command with some more of them, and the
// difference. work.test.ts has the cost of orders, timers and batches.

import { expect, test } from 'vitest';
import { workOf } from '../../src/engine/work.ts';
import { play } from '../scenarios/scenario.ts';
import { richTwoMarkets } from '../scenarios/stages.ts';
import { createWorld } from '../scenarios/world.ts';

/** The work of the last step, in 64ths of a unit. */
function workAfter(start: string, step: string): number {
  const world = play(createWorld(), start);
  play(world, step);
  return world.exchange.work;
}

test('ORD-14 ATT-1 each leg costs as much as a command', () => {
  const cost = (legs: string): number => {
    return workAfter(richTwoMarkets, `anna buy 1 @ 59000 ${legs}`);
  };
  expect(cost('profit 61000') - cost('')).toBe(workOf.command);
  expect(cost('profit 61000 loss 58000') - cost('')).toBe(2 * workOf.command);
});

test('ORD-14 ATT-3 each leg that gets other lots costs as much as an end', () => {
  const cost = (legs: string): number => {
    return workAfter(`${richTwoMarkets}\nanna buy 1 @ 60000 ${legs}`, 'ben sell 0.5 @ 60000');
  };
  expect(cost('profit 61000 loss 58000') - cost('profit 61000')).toBe(workOf.ended);
});

test('ORD-14 ATT-2 each pair of a position that becomes smaller is looked at', () => {
  const cost = (pairs: number): number => {
    const parents = Array.from({ length: pairs }, () => {
      return 'anna buy 0.001 @ 60000 profit 61000 loss 59000';
    });
    const start = [
      richTwoMarkets,
      'ben sell 2 @ 60000',
      'anna buy 1 @ 60000',
      ...parents,
      'ben cancelAll',
      'ben buy 0.5 @ 59990',
    ];
    return workAfter(start.join('\n'), 'anna sell 0.5 @ 59990');
  };
  expect(cost(9) - cost(1)).toBe(8 * workOf.looked);
});

test('ORD-14 NAT-4a each referrer above a code is looked at for an account with referees', () => {
  const names = ['anna', 'ben', 'carl', 'dora'];
  const chain = names.map((name, index) => {
    const own = `credit ${name} 100\n${name} code ${name.toUpperCase()}X`;
    return index === 0 ? own : `${own}\n${name} bind ${names[index - 1]!.toUpperCase()}X`;
  });
  const owner = 'credit rita 100\nrita code RITA\ncredit eve 1\neve bind RITA';
  const start = `market BTCUSDT\nindex 60000\n${chain.join('\n')}\n${owner}`;
  const cost = (code: string): number => workAfter(start, `rita bind ${code}`);
  expect(cost('ANNAX')).toBe(workOf.command + workOf.looked);
  expect(cost('DORAX') - cost('ANNAX')).toBe(3 * workOf.looked);
});
