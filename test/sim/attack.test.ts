// Goal: the search for attacks finds what is there, and its figures are right. Method: known
// attacks played by the search and by the language of the scenarios must agree to the unit; every
// family plays a few scenarios, whose accounting is asserted; and one seed is one search.

import { expect, test } from 'vitest';
import { searchAttacks } from '../../sim/attack/attack.ts';
import { readAttackOptions } from '../../sim/attack/attackOptions.ts';
import { scenarioText } from '../../sim/attack/attackReport.ts';
import { type AttackResult, resultLine } from '../../sim/attack/attackResult.ts';
import { familyNames } from '../../sim/attack/families.ts';
import { judge } from '../../sim/attack/judge.ts';
import { replayText } from '../../sim/attack/replay.ts';
import { play } from '../scenarios/scenario.ts';
import { createWorld } from '../scenarios/world.ts';

const search = (...args: string[]): Promise<AttackResult> => searchAttacks(readAttackOptions(args));

const usdt = 1_000_000;

/** Ava and Bob are the attackers; the other steps are between them. */
const judged = (text: string) => judge(replayText(`${text}\n  wealth ava bob 0`));

/** A long of 50x and its counterparty; 3 % down the fund and an honest short pay. */
const gap = `
  market BTCUSDT
  credit ava 1300
  credit bob 50000
  credit eve 10000
  credit fay 10000
  insurance 100
  index 60000
  ava leverage 50
  bob sell 1 @ 60000
  ava buy 1 @ 60000
  eve sell 0.5 @ 60000
  fay buy 0.5 @ 60000
  index 58200
`;

test('a pair across a gap is paid by the fund and by who is deleveraged, to the unit', () => {
  const { gains, total, outOfRules } = judged(gap);
  // Fees of 0.05 % and 0.02 % of 60000; Ava has 1270, and her bankruptcy price is 58730. The fund
  // carries no lot. Of the two shorts Eve has the higher leverage: she is closed first, at 530
  // above the mark, and then Bob, whose loss by that is Ava's gain.
  expect(gains.fees).toBe(-42 * usdt);
  expect(gains.fund).toBe(0);
  expect(gains.deleveraged).toBe(265 * usdt);
  expect(total).toBe(223 * usdt);
  expect(outOfRules).toBe(total);
});

test('MAR-10 a table of brackets admits what its gap may cost on the open interest of the side', () => {
  const table = 'market BTCUSDT brackets 20000:0.01,20000000:0.02';
  // 1.5 long at 60000, 3 %: 20,000 × (3 − 2/3) % + 70,000 × (3 − 4/3) %. Without a table nothing is
  // admitted.
  expect(judged(gap).bound).toBe(0);
  const bracketed = gap
    .replace('market BTCUSDT', table)
    .replace('leverage 50', 'leverage 25')
    .replace('ava 1300', 'ava 2600');
  const { bound } = judged(bracketed);
  expect(bound).toBe(1_633_333_334);
});

test('the search finds what the rules do not forbid: a gap in a market without brackets', async () => {
  const result = await search('--count', '400', '--families', 'gap', '--unbracketed');
  expect(result.ok).toBe(false);
  const [{ best, profitable }] = result.families as [(typeof result.families)[number]];
  expect(profitable).toBeGreaterThan(20);
  expect(best.played.outOfRules).toBeGreaterThan(1000 * usdt);
});

test('a trade with others is no profit out of the rules, however good it is', () => {
  const { gains, total, outOfRules } = judged(`
    market BTCUSDT
    credit ava 100000
    credit bob 1000
    credit eve 100000
    index 60000
    eve sell 1 @ 60000
    ava buy 1 @ 60000
    index 63000
    eve buy 1 @ 62990
    ava sell 1 @ 62990
  `);
  expect(gains.moves).toBe(3000 * usdt);
  expect(gains.trading).toBe(-10 * usdt);
  expect(total).toBe(3000 * usdt - 10 * usdt + gains.fees);
  expect(outOfRules).toBe(gains.fees);
});

/** Eve, honest, is long for the whole interval of an hour. */
const interval = (...steps: string[]): string => `
  after 399750
  market BTCUSDT fundingIntervalHours 1
  credit ava 100000
  credit bob 1000
  credit eve 100000
  credit hub 1000000
  house hub
  index 60000
  eve buy 1 @ 60000
  hub sell 1 @ 60000
  ${steps.join('\n  ')}
`;

const across = ['after 3597000', 'index 60000', 'after 750', 'index 60000', 'after 750'];

test('FUND-1c funding is earned by the time of holding; a position of the last second earns nothing', () => {
  const whole = judged(
    interval(
      'ava sell 0.5 @ 60000',
      'hub buy 0.5 @ 60000',
      ...across,
      'index 60000',
      'after 1000',
      'index 60000',
    ),
  );
  expect(whole.gains.carry).toBeGreaterThan(90 * usdt);
  expect(Math.abs(whole.gains.funding)).toBeLessThan(usdt);
  const sniped = judged(
    interval(
      ...across,
      'index 60000',
      'ava sell 0.5 @ 60000',
      'hub buy 0.5 @ 60000',
      'after 1000',
      'index 60000',
    ),
  );
  expect(sniped.gains.carry).toBeLessThan(usdt);
  expect(sniped.gains.funding).toBeLessThanOrEqual(0);
});

test('NAT-4c a ring that refers itself saves the discount and its share, and nothing else', async () => {
  const ring = (steps: string): string => `
    market BTCUSDT
    credit ava 100000
    credit bob 100000
    ${steps}
    index 60000
    ava sell 1 @ 60000
    bob buy 1 @ 60000
    bob sell 1 @ 60000
    ava buy 1 @ 60000
  `;
  const alone = judged(ring('ava code AVACODE'));
  const bound = judged(`${ring('ava code AVACODE\n    bob bind AVACODE')}    ava claim\n`);
  // 30 + 12 as taker and as maker; Bob pays 4 % less in both fills, 28.80 + 11.52.
  expect(alone.total).toBe(-84 * usdt);
  expect(bound.gains.fees).toBe(-(84 - 1.68) * usdt);
  expect(bound.gains.referral).toBe(4.032 * usdt);
  expect(bound.outOfRules).toBe(bound.gains.fees + bound.gains.referral);
  const result = await search('--count', '150', '--families', 'referral');
  expect(result.ok).toBe(true);
  const [{ best, profitable, faults }] = result.families as [(typeof result.families)[number]];
  expect([profitable, faults]).toEqual([0, []]);
  expect(best.played.lines.some((line) => line.includes(' bind '))).toBe(true);
});

test('a withdrawal is no loss, and a credit no gain', () => {
  const { gains, total, wealth } = judged(`
    market BTCUSDT
    credit ava 1000
    credit bob 1000
    ava withdraw 400
    withdrawal last complete
    bob withdraw 300
    withdrawal last release
    credit ava 50
  `);
  expect(total).toBe(0);
  expect(wealth).toBe(2050 * usdt);
  expect(Object.values(gains).every((gain) => gain === 0)).toBe(true);
});

test('every family searches, and what it finds plays again to the unit', async () => {
  const result = await search('--count', '600');
  expect(result.families.map(({ family }) => family)).toEqual(familyNames);
  for (const { best, faults, family } of result.families) {
    expect(faults, family).toEqual([]);
    const text = scenarioText(best);
    // The language of the scenarios compares the attackers' wealth, and checks every invariant.
    play(createWorld(), text, family);
    const { gains, total, outOfRules, unpaid, wealth } = judge(replayText(text));
    expect(best.played, family).toMatchObject({ gains, total, outOfRules, unpaid, wealth });
  }
});

test('one seed is one search, in however many processes', async () => {
  const options = ['--count', '80', '--seed', '7', '--families', 'gap,free'];
  const bare = (result: AttackResult): object => {
    const { seconds: _, per_second: __, ...line } = JSON.parse(resultLine(result));
    return line;
  };
  const one = bare(await search(...options));
  expect(bare(await search(...options, '--workers', '2'))).toEqual(one);
  expect(bare(await search('--count', '80', '--seed', '8', '--families', 'gap,free'))).not.toEqual(
    one,
  );
});

test('options that mean nothing are refused', () => {
  expect(() => readAttackOptions(['--familes', 'gap'])).toThrow('--familes');
  expect(() => readAttackOptions(['--families', 'gaps'])).toThrow('gaps is no family');
  expect(() => readAttackOptions(['--count', 'many'])).toThrow('whole number');
  expect(() => replayText('market BTCUSDT')).toThrow('wealth');
  expect(() => replayText('market BTCUSDT\nava buy 1 @ 1\nwealth ava 0')).toThrow('ava');
});
