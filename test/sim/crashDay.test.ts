// Goal: the waterfall of a crash keeps every rule while thousands fall, and a day that is killed
// continues to the same end. Method: the simulated day over a recording made here, in this process
// and as a program that is killed in the middle; and, where the recording of 10 October 2025 is at
// hand, over its worst hour.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CrashDayOutcome, simulateCrashDay } from '../../sim/crashDay.ts';
import { readCrashDayOptions } from '../../sim/crashDayOptions.ts';
import { findDataDirectory } from '../../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../../src/bin/verify.ts';
import { createTemporaryDirectory } from '../fixtures/temporaryDirectory.ts';
import { recordedDayArgs, writeRecordedCrash } from './recordedCrash.ts';
import { runSimulation } from './simulationProgram.ts';

const directory = createTemporaryDirectory();
const recording = join(directory.path, 'crash.csv');

beforeAll(() => writeRecordedCrash(recording));
afterAll(() => directory[Symbol.dispose]());

/** Of seed 1, in this process and without an end. */
let first: CrashDayOutcome | undefined;

const argsOf = (...more: string[]): string[] => [
  ...['--index', recording, '--accounts', '200'],
  ...more,
];

const simulate = (args: readonly string[]): Promise<CrashDayOutcome> =>
  simulateCrashDay(readCrashDayOptions(args), () => {});

/** Conditions of every day. */
const sound = {
  shortfall: 0,
  negative_buckets: 0,
  conserved: true,
  innocent_liquidated: 0,
  violations: 0,
};

test('LIQ-1 … LIQ-5: a crash keeps every rule, and a seed always gives the same day', async () => {
  first = await simulate(argsOf('--seed', '1'));
  expect(first.violations).toEqual([]);
  expect(first.result).toMatchObject(sound);
  expect(first.result.liquidated).toBeGreaterThan(40);
  expect(first.result.book_notional).toBeGreaterThan(0);
  expect(first.result.insurance_used).toBeGreaterThan(0);
  expect(first.result.adl_notional).toBeGreaterThan(0);
  expect(first.result.mark_index_max_difference).toBeLessThanOrEqual(0.005);
  const again = await simulate(argsOf('--seed', '1'));
  const { seconds: _, ...figures } = again.result;
  expect(first.result).toMatchObject(figures);
  const other = await simulate(argsOf('--seed', '2'));
  expect(other.result).toMatchObject(sound);
  expect(other.result.state_hash).not.toBe(first.result.state_hash);
});

test('MAR-10 brackets of the fund halve what is deleveraged, and every rule is kept', async () => {
  first ??= await simulate(argsOf('--seed', '1'));
  const bracketed = await simulate(argsOf('--seed', '1', '--brackets', '0.1'));
  expect(bracketed.violations).toEqual([]);
  expect(bracketed.result).toMatchObject(sound);
  expect(bracketed.result.liquidated).toBeGreaterThan(0);
  expect(bracketed.result.adl_notional * 2).toBeLessThanOrEqual(first.result.adl_notional);
  expect(() => readCrashDayOptions(argsOf('--brackets', '1.5'))).toThrow('--brackets');
});

test('a day that is killed twice continues to the same end', async () => {
  first ??= await simulate(argsOf('--seed', '1'));
  const whole = first;
  const data = join(directory.path, 'killed');
  for (const minute of ['00:10', '00:14']) {
    const { signal } = await runSimulation(argsOf('--data', data), minute);
    expect(signal).toBe('SIGKILL');
  }
  const { code, lines } = await runSimulation(argsOf('--data', data));
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^goes on after \d+ batches/);
  const { seconds: _, ...figures } = whole.result;
  expect(JSON.parse(lines.at(-1)!)).toMatchObject(figures);
  const replayed = verifyDirectory(findDataDirectory(data));
  expect(replayed).toMatchObject({ ok: true, state_hash: whole.result.state_hash });
  await expect(simulate(argsOf('--data', data, '--seed', '2'))).rejects.toThrow('other options');
});

test('PRC-1: prints down to 6.02 liquidate no account that the index does not', async () => {
  const args = [...recordedDayArgs(), '--accounts', '500'];
  args.push('--from-minute', '1228', '--limit-minutes', '68');
  const lines: string[] = [];
  const { result } = await simulateCrashDay(readCrashDayOptions(args), (line) => lines.push(line));
  expect(result).toMatchObject(sound);
  expect(result.liquidated).toBeGreaterThan(150);
  expect(result.mark_index_max_difference).toBeLessThanOrEqual(0.005);
  expect(lines.join('\n')).toContain('lowest trade that was no liquidation: 6.02;');
  const data = join(directory.path, 'real');
  const killed = await runSimulation([...args, '--data', data], '21:15');
  expect(killed.signal).toBe('SIGKILL');
  const { code, lines: reported } = await runSimulation([...args, '--data', data]);
  expect(code).toBe(0);
  expect(JSON.parse(reported.at(-1)!)).toMatchObject({ state_hash: result.state_hash, ...sound });
});
