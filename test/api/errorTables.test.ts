// The interface's three error tables, code by code (spec, Errors; AUTH-2, AUTH-6): each code is
// received from the running gateway with its status and text, or no reason has it yet. What is
// refused changes nothing. And no answer has a code that the interface does not know.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { commandRejections } from '../../src/api/errors/commandRejections.ts';
import { fapiReasonText } from '../../src/api/errors/failureAnswer.ts';
import { refusalErrors } from '../../src/api/errors/refusalErrors.ts';
import { rejectionErrors } from '../../src/api/errors/rejectionErrors.ts';
import type { WireError } from '../../src/api/errors/wireError.ts';
import type { ErrorCase, ErrorCases } from './errorCase.ts';
import { type ErrorWorld, openErrorWorld, type Reply } from './errorWorld.ts';
import { authCodes, besides, fapiAuthCases } from './fapiAuthCases.ts';
import { fapiCodes, fapiErrorCases } from './fapiErrorCases.ts';
import { loginCodes } from './loginErrorCases.ts';
import { nativeCodes, nativeErrorCases } from './nativeErrorCases.ts';

let world: ErrorWorld;

beforeAll(async () => {
  world = await openErrorWorld();
});

afterEach(async () => {
  expect(world.exchange.faults).toEqual([]);
  await world.tidy();
});

afterAll(() => world.close());

test('TRG-1 a trigger that has failed has a sentence for every reason that may refuse its order', () => {
  const texts = commandRejections.placeOrder.map(
    (reason) => (JSON.parse(fapiReasonText(reason)) as { readonly msg: string }).msg,
  );
  expect(texts.filter((text) => !text.includes(' '))).toEqual([]);
});

/** A test for each case. */
function proveEach<Code extends string | number>(
  codes: readonly Code[],
  cases: ErrorCases<Code>,
  prove: (reply: Reply, code: Code, expected: ErrorCase) => void,
): void {
  test('every code of the table has a case', () => {
    // Keys of an object are texts.
    expect(Object.keys(cases).sort()).toEqual(codes.map(String).sort());
    expect(new Set(codes).size).toBe(codes.length);
  });
  for (const code of codes) {
    for (const expected of cases[code]) {
      test(`${code} when ${expected.when}`, async () => {
        const reply = await expected.ask(world);
        prove(reply, code, expected);
        expect(reply.status).toBe(expected.status);
        expect(world.exchange.stateHash()).toBe(world.hashBefore());
      });
    }
  }
}

const envelopeOf = (code: string, message: string): object => ({
  success: false,
  data: null,
  error: { code, message },
  timestamp: Math.floor(world.exchange.clock.now() / 1000),
});

describe('FAPI business errors', () => {
  proveEach(fapiCodes, fapiErrorCases, ({ body, headers }, code, { text: msg }) => {
    // -1021 is in two tables: it has the envelope's members besides (AUTH-2).
    const more = code === -1021 ? envelopeOf('SIGNATURE_INVALID', msg) : {};
    expect(body).toEqual({ code, msg, ...more });
    expect(headers['retry-after']).toBeUndefined();
    expect(headers['x-mbx-used-weight-1m']).toMatch(/^\d+$/);
    if (code !== -1003) return;
    expect(headers['x-mbx-order-count-10s']).toBe('50');
    expect(headers['x-mbx-order-count-1m']).toBe('50');
  });
});

describe('FAPI authentication errors', () => {
  proveEach(authCodes, fapiAuthCases, ({ body }, code, { text: msg }) => {
    expect(body).toEqual({ code: besides[code], msg, ...envelopeOf(code, msg) });
  });
});

describe('native errors', () => {
  proveEach([...loginCodes, ...nativeCodes], nativeErrorCases, ({ body }, code, { text }) => {
    expect(body).toEqual(envelopeOf(code, text));
  });
});

/** Beyond the interface's tables (AUTH-6, OPS-1, ID-3, MAR-10, NAT-4a). */
const fapiCodesBeyond = [-1007, -1008, -2027];
const nativeCodesBeyond = [
  'INVALID_PARAMETER',
  'NOT_FOUND',
  'DUPLICATE_CLIENT_ORDER_ID',
  'REDUCE_ONLY_REJECTED',
  'ORDER_WOULD_MATCH',
  'IDEMPOTENCY_CONFLICT',
  'CONFLICT',
  'CONFIRMATION_REQUIRED',
  'REFERRAL_DISABLED',
  'REFERRAL_CODE_INVALID',
  'REFERRAL_NOT_ELIGIBLE',
  'REFERRAL_CODE_PRESENT',
  'REFERRAL_CODE_TAKEN',
  'REFERRAL_ALREADY_BOUND',
  'REFERRAL_ALREADY_TRADED',
  'REFERRAL_SELF',
  'REFERRAL_NOTHING_TO_CLAIM',
  'TOO_MANY_REQUESTS',
  'DISK_FULL',
  'MEMORY_SHORT',
  'HISTORY_BEHIND',
  'LOGIN_TOO_OLD',
  'FAUCET_OFF',
  'FAUCET_LIMIT',
  'INTERNAL',
  'UNKNOWN',
];

test('every reason has a code that the interface lists', () => {
  const errors: WireError<never>[] = Object.values({ ...refusalErrors, ...rejectionErrors });
  const fapiKnown: readonly number[] = [...fapiCodes, ...fapiCodesBeyond];
  const nativeKnown = [...loginCodes, ...nativeCodes, ...authCodes, ...nativeCodesBeyond];
  for (const { fapi, native } of errors) {
    expect(nativeKnown).toContain(native.code);
    if (fapi.envelope === undefined || fapi.code === -1021) expect(fapiKnown).toContain(fapi.code);
    else expect(fapi.code).toBe(besides[fapi.envelope]);
  }
});
