// The corpus of the fuzzer: found or chosen cases, each with its expected result, replayed
// before any other test. A case that is found becomes a line here before it is mended.

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkText } from '../../fuzz/decimalsTarget.ts';
import { admitted, signingSecret } from '../../fuzz/hmacTarget.ts';
import { orderText, readAnswers } from '../../fuzz/rawTarget.ts';
import { openSocketStage, type SocketStage } from '../../fuzz/socketStage.ts';
import type { Target } from '../../fuzz/target.ts';
import { openTarget } from '../../fuzz/targets.ts';
import { issuedAt, openTokensStage } from '../../fuzz/tokensTarget.ts';

function linesOf<T>(name: string): readonly T[] {
  const text = readFileSync(join(import.meta.dirname, 'corpus', `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

type TokenCase = { readonly what: string; readonly token: string; readonly taken: boolean };

test.each(linesOf<TokenCase>('tokens'))('token: $what', async ({ token, taken }) => {
  const stage = await openTokensStage();
  const [head, payload, signature = ''] = stage.token.split('.');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1)!);
  const text = token
    .replaceAll('{head}', head!)
    .replaceAll('{payload}', payload!)
    .replaceAll('{signature}', signature)
    .replace(/\{signature\^(\d)\}/, (_whole, bits) => {
      return signature.slice(0, -1) + alphabet[last ^ Number(bits)];
    });
  expect(await stage.admits(text, issuedAt)).toBe(taken);
});

type DecimalCase = {
  readonly text: string;
  readonly decimals: number;
  readonly step: number;
  readonly is: string;
};

test.each(linesOf<DecimalCase>('decimals'))('decimal: $text', ({ text, decimals, step, is }) => {
  expect(checkText(text, { decimals, step })).toBe(is);
});

type HmacCase = {
  readonly what: string;
  readonly query: string;
  readonly body: string;
  readonly signed: string;
  readonly taken: boolean;
};

test.each(linesOf<HmacCase>('hmac'))('signature: $what', ({ query, body, signed, taken }) => {
  const signature = createHmac('sha256', signingSecret).update(signed).digest('hex');
  const filled = (text: string): string => text.replaceAll('{signature}', signature);
  const contentType = 'application/x-www-form-urlencoded';
  const request = { query: filled(query), body: Buffer.from(filled(body)), contentType };
  expect(admitted(request) !== undefined).toBe(taken);
});

let stage: SocketStage;

beforeAll(async () => {
  stage = await openSocketStage(1);
});
afterAll(() => stage.close());

type RawLine = {
  readonly what: string;
  readonly bytes: string;
  readonly statuses: readonly number[];
};

test.each(linesOf<RawLine>('raw'))('bytes: $what', async ({ bytes, statuses }) => {
  const text = bytes.replaceAll('{order}', () => orderText(stage));
  const answers = readAnswers(await stage.talk([Buffer.from(text, 'latin1')]));
  expect(typeof answers === 'string' ? answers : answers.map(({ status }) => status)).toEqual(
    statuses,
  );
  expect(stage.world.faults).toEqual([]);
  await expect.poll(() => stage.socketsOpen()).toBe(0);
});

type SeedCase = { readonly target: string; readonly seed: number; readonly count: number };

test.each(linesOf<SeedCase>('seeds'))('$target of seed $seed', async ({ target, seed, count }) => {
  const open: Target = await openTarget(target);
  const { violations } = await open({ seed, count, trying: () => {}, stopped: () => false });
  expect(violations).toEqual([]);
});
