// Goal: a scenario says what it seems to say. Method: lines with a misspelt, missing or surplus
// word, each of which must be an error with its line and column; and outcomes that are almost
// right.

import { describe, expect, test } from 'vitest';
import { play } from './scenario.ts';
import { createWorld } from './world.ts';

const begin = `
  market BTCUSDT
  credit anna 1000
  credit ben 1000
  index 50000`;

const played = (line: string) => () => play(createWorld(), `${begin}\n  ${line}`, 'a title');

describe('an unknown word is an error with its line and column:', () => {
  test.each([
    ['anna buy 0.1 @ 50000 reduceOnyl', 24, 'reduceOnyl is unknown here'],
    ['anna buy 0.1 @ 50000 stpp NONE', 24, 'stpp is unknown here'],
    ['anna buy 0.1 @ 50000 stp EXPIRE', 28, 'EXPIRE is unknown here'],
    ['change status TRADNG', 17, 'TRADNG is unknown here'],
    ['house ben offf', 13, 'offf is unknown here'],
    ['anna has', 11, 'no figure is named'],
    ['anna has available', 21, 'available has no value'],
    ['anna order x', 15, 'no figure is named'],
    ['anna', 3, 'a step has a verb'],
    ['anna bye 0.1 @ 50000', 8, 'bye is unknown here'],
    ['Anna buy 0.1 @ 50000', 3, 'Anna is unknown here'],
    ['anna buy 0.1', 15, 'exactly one is needed of @, market'],
    ['anna buy @ 50000', 19, 'exactly one is needed of a quantity, quote'],
    ['anna buy 0.1 @', 17, '@ has no value'],
    ['anna buy 0.1 @ market', 18, 'market is unknown here'],
    ['anna buy 0.1 0.2 @ 50000', 16, '0.2 is unknown here'],
    ['anna buy 0.1 @ 50000 IOC FOK', 31, 'at most one may be there of IOC, FOK, GTX, market'],
    ['anna buy 0.1 @ 50000 id x id y', 29, 'id is there twice'],
    ['anna buy 0.1 @ 50000 ETHUSDT', 24, 'ETHUSDT is no market yet'],
    ['anna cancelAll ETHUSDT', 18, 'ETHUSDT is no market yet'],
    ['anna cancel x y', 17, 'y is unknown here'],
    ['anna trigger buy 0.1 STOP_MARKT stop 51000', 24, 'STOP_MARKT is unknown here'],
    ['anna trigger buy 0.1 stop 51000', 34, 'exactly one is needed of'],
    ['anna test sell 0.1 @ 50000 reduce', 30, 'reduce is unknown here'],
    ['credit anna', 14, 'a word is missing'],
    ['credit anna ten', 15, 'ten is unknown here'],
    ['index 50000 sorce sim', 15, 'sorce is unknown here'],
    ['after 10s', 9, '10s is unknown here'],
    ['anna withdraw 5 key', 22, 'key has no value'],
    ['withdrawal last completed', 19, 'completed is unknown here'],
    ['funds', 8, 'no figure is named'],
    ['shows status TRADING mark', 28, 'mark has no value'],
    ['anna buy 0.1 @ 50000 ->', 26, 'no outcome'],
    ['anna buy 0.1 @ 50000 -> NEW -> FILLED', 26, 'a step has one outcome'],
  ])('%s', (line, column, message) => {
    expect(played(line)).toThrow(`a title, line 6, column ${column}: ${message}`);
  });
});

test('an event, a figure or a term with an unknown name is an error', () => {
  expect(played('events orderPlacd 0')).toThrow(
    'line 6: events orderPlacd 0: orderPlacd is no event',
  );
  expect(played('anna has availabl 0')).toThrow('availabl is no figure of an account');
  expect(played('change makerFe 0')).toThrow('makerFe is no term of a market');
  expect(played('funds feeRevenu 0')).toThrow();
});

describe('an outcome is compared exactly:', () => {
  test.each([
    ['anna buy 1 @ 50000 -> marginInsufficient', 'anna buy 1 @ 50000 -> marginInsuffic'],
    [
      'anna withdraw 2000 -> balanceInsufficient 1000000000',
      'anna withdraw 2000 -> balanceInsufficient 1000',
    ],
    [
      'anna withdraw 2000 -> balanceInsufficient "max":1000000000',
      'anna withdraw 2000 -> balanceInsufficient "max":100',
    ],
    ['anna leverage 51 -> leverageInvalid 51 50', 'anna leverage 51 -> leverageInvalid 50'],
    ['anna leverage 51 -> leverageInvalid 51', 'anna leverage 51 -> leverageInvalid 51 5'],
    ['anna buy 0.01 @ 49000 -> NEW', 'anna buy 0.01 @ 49000 -> FILLED'],
    ['anna buy 0.01 @ 49000 IOC -> CANCELED IOC', 'anna buy 0.01 @ 49000 IOC -> CANCELED IOC IOC'],
    ['anna cancelAll -> cancelled 0', 'anna cancelAll -> cancelled 0 1'],
    ['index 50001 -> prices 1', 'index 50001 -> prices 2'],
    ['anna leverage 5 -> accepted', 'anna leverage 5 -> accepted 5'],
    ['anna has available 1000', 'anna has available 100'],
    ['after 5', 'after 5 -> accepted'],
  ])('%s', (right, wrong) => {
    expect(played(right)).not.toThrow();
    expect(played(wrong)).toThrow('a title, line 6: ');
  });
});
