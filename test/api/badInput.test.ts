// Bad input, generated from the operations table: every parameter of every operation is left out,
// emptied, malformed, duplicated; every body is broken; every credential is wrong. Each gets a
// documented code and status, never a 5xx, and the state hash is unchanged.

import { createHmac } from 'node:crypto';
import { Check, Errors } from 'typebox/schema';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { failureAnswer } from '../../src/api/errors/failureAnswer.ts';
import { refusalErrors } from '../../src/api/errors/refusalErrors.ts';
import { rejectionErrors } from '../../src/api/errors/rejectionErrors.ts';
import type { Failure, Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { readingOf } from '../../src/api/parameterSchema.ts';
import { bodyBytesMax } from '../../src/gateway/readBody.ts';
import { must } from '../../src/std/assert.ts';
import type { Money, Time } from '../../src/units/units.ts';
import { openMemoryExchange, operatorToken } from '../fixtures/memoryExchange.ts';
import {
  goodRequests,
  openStage,
  type Parameters,
  type Stage,
  tidyStage,
  unusedParameters,
} from './badInputStage.ts';
import { type BadValue, badValues } from './badValues.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage(await openMemoryExchange({ faucet: 1_000_000 as Money }));
});

afterEach(async () => {
  expect(stage.world.faults).toEqual([]);
  await tidyStage(stage);
});

afterAll(async () => {
  const { operator } = stage.world.client({ operatorToken });
  const { ok, failures } = await operator.getInvariants();
  expect({ ok, failures }).toEqual({ ok: true, failures: [] });
  await stage.world.close();
});

/** A request as source text: names and the JSON source of their values, in order. */
type Sources = readonly (readonly [name: string, source: string])[];

type Sent = {
  readonly row: Operation;
  readonly sources: Sources;
  /** The whole body, instead of one made of the sources. */
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the query, after encoding. */
  readonly query?: string;
  /** Leaves the credentials out. */
  readonly bare?: boolean;
};

type Reply = { readonly status: number; readonly text: string; readonly changed: boolean };

const inQuery = ({ method }: Operation): boolean => method === 'GET' || method === 'DELETE';

/** The text of a value where there is no JSON. */
function plain(source: string): string {
  return source.startsWith('"') ? (JSON.parse(source) as string) : source;
}

/** Nothing is left that a URL would spell in another way, which would break signatures. */
const encoded = (source: string): string =>
  encodeURIComponent(plain(source).toWellFormed()).replaceAll("'", '%27');

async function send(sent: Sent): Promise<Reply> {
  const { row, sources, bare = false } = sent;
  const { world, alice } = stage;
  await stage.price();
  const left = new Map(sources);
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const source = must(left.get(name), 'a path parameter is sent');
    left.delete(name);
    return encoded(source);
  });
  const rest = sources.filter(([name]) => left.has(name));
  const pairs = rest.map(([name, source]) => `${name}=${encoded(source)}`);
  let query = [...(inQuery(row) ? pairs : []), ...(sent.query ? [sent.query] : [])].join('&');
  const members = rest.map(([name, source]) => `${JSON.stringify(name)}:${source}`);
  const body = sent.body ?? (inQuery(row) ? undefined : `{${members.join(',')}}`);
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (!bare && row.auth === 'key') {
    headers['x-mbx-apikey'] = alice.apiKey;
    const stamped = `${query === '' ? '' : `${query}&`}timestamp=${world.clock.now()}`;
    const signed = createHmac('sha256', alice.secretKey).update(stamped);
    if (body !== undefined && !isBlank(body)) signed.update(body);
    query = `${stamped}&signature=${signed.digest('hex')}`;
  }
  if (!bare && row.auth === 'keyOnly') headers['x-mbx-apikey'] = alice.apiKey;
  if (!bare && row.auth === 'operator') headers.authorization = `Bearer ${operatorToken}`;
  if (!bare && row.auth.startsWith('jwt')) {
    // A logout must not end the session of the campaign.
    const ends = row.name === 'logout';
    const token = ends ? (await world.login(2000 + stage.serial())).token : alice.token;
    headers.authorization = `Bearer ${token}`;
  }
  const before = hashNow();
  const { position } = world.log.head();
  const app = row.surface === 'operator' ? world.operatorApp : world.app;
  const response = await app.inject({
    method: row.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...sent.headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  world.clock.advance(betweenMs);
  const { statusCode: status, payload: text } = response;
  if (world.log.head().position !== position) logged += 1;
  hashed = { position: world.log.head().position, hash: world.stateHash() };
  return { status, text, changed: hashed.hash !== before };
}

/** Often enough for no limit of rates, seldom enough for prices that stay fresh. */
const betweenMs = 250;

/** The state after the last request, and where the log was then. */
let hashed = { position: -1, hash: '' };

/** Of the present state: hashed again only if something has been logged since the last request. */
function hashNow(): string {
  const { log, stateHash } = stage.world;
  return log.head().position === hashed.position ? hashed.hash : stateHash();
}

/** How many requests have reached the log. */
let logged = 0;

/**
 * Gives a good request of this kind: the same one until a request reaches the log, because one that
 * does not has used up nothing of it, and a new one is often an order to place first.
 */
function goodSources(make: (stage: Stage) => Parameters | Promise<Parameters>) {
  let made: { readonly at: number; readonly sources: Sources } | undefined;
  return async (): Promise<Sources> => {
    if (made?.at !== logged) {
      const sources = sourcesOf(await make(stage));
      made = { at: logged, sources };
    }
    return made.sources;
  };
}

const isBlank = (body: string | Buffer): boolean => body.toString().trim() === '';

const sourcesOf = (parameters: Parameters): Sources =>
  Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)]);

const documented = {
  fapi: new Set(
    Object.values({ ...refusalErrors, ...rejectionErrors }).map(
      ({ fapi }) => `${fapi.status} ${fapi.code}`,
    ),
  ),
  native: new Set(
    Object.values({ ...refusalErrors, ...rejectionErrors }).map(
      ({ native }) => `${native.status} ${native.code}`,
    ),
  ),
};

/** Status and code of an answer; undefined when it is no documented failure. */
function failureOf({ surface }: Operation, { status, text }: Reply): string | undefined {
  let body: { code?: unknown; msg?: unknown; success?: unknown; error?: { code?: unknown } };
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (surface === 'fapi') {
    const known = `${status} ${body.code}`;
    return documented.fapi.has(known) && typeof body.msg === 'string' ? known : undefined;
  }
  const known = `${status} ${body.error?.code}`;
  return documented.native.has(known) && body.success === false ? known : undefined;
}

/** What this failure looks like on the row's surface. */
function expectedOf(row: Operation, failure: Failure): string {
  const answer = failureAnswer(row.surface, failure, stage.world.clock.now() as Time);
  return must(failureOf(row, { ...answer, changed: false }), 'a failure is documented');
}

/** The defect of an answer; undefined when it has none. */
function complaintOf(row: Operation, reply: Reply, answer: Failure | 'refused' | 'either') {
  const { status, text, changed } = reply;
  if (status < 400) return answer === 'either' ? undefined : `passed with ${status}`;
  if (status >= 500) return `answered ${status} ${text}`;
  if (changed) return `changed the state, answering ${status} ${text}`;
  const failure = failureOf(row, reply);
  if (failure === undefined) return `answered, undocumented, ${status} ${text.slice(0, 200)}`;
  if (answer === 'refused' || answer === 'either') return undefined;
  const expected = expectedOf(row, answer);
  return failure === expected ? undefined : `answered ${failure} instead of ${expected}`;
}

type Finding = string;

async function check(
  findings: Finding[],
  what: string,
  sent: Sent,
  answer: Failure | 'refused' | 'either',
): Promise<void> {
  const complaint = complaintOf(sent.row, await send(sent), answer);
  if (complaint !== undefined) findings.push(`${sent.row.name}, ${what}: ${complaint}`);
}

/** The longest path parameter that a route takes. */
const pathLengthMax = 100;

function answerOf(row: Operation, name: string, bad: BadValue): Failure | 'refused' | 'either' {
  const { source, answer } = bad;
  if (row.path.includes(`:${name}`) && plain(source).length > pathLengthMax) {
    return { reason: 'requestMalformed' };
  }
  if (answer === 'refused' || answer === 'either') return answer;
  return { reason: answer, name } as Failure;
}

function isStructure(source: string): boolean {
  return source.startsWith('{') || source.startsWith('[');
}

/** A body of JSON as a value; an empty one is null. */
function bodyOf({ text }: Reply): { contentType: 'json' | 'text'; value: unknown } {
  if (text === '') return { contentType: 'json', value: null };
  if (!/^[{["]/.test(text)) return { contentType: 'text', value: text };
  return { contentType: 'json', value: JSON.parse(text) as unknown };
}

const named = operations.map((row) => [row.name, row] as const);

/** Rows that refuse even a good request, and how. */
const refusedAlways: Readonly<Record<string, number>> = {
  // Set once in the opening of the stage; and nothing accrues there.
  setReferralCode: 409,
  bindReferral: 409,
  claimReferral: 409,
  // Money came before a vault, so there is none.
  bindVault: 409,
  // Without a vault there is no tree.
  getProof: 404,
  setWithdrawalTerms: 409,
  // Alice's margin is cross.
  transferCollateral: 409,
  getRpiDepth: 404,
  movePositionMargin: 400,
};

/** Rows that refuse a request when it is repeated, and how. */
const refusedAgain: Readonly<Record<string, number>> = { claimFaucet: 429 };

test('the good requests succeed, match their schemas, and use every parameter', async () => {
  expect(await unusedParameters(stage)).toEqual([]);
  const findings: Finding[] = [];
  for (const row of operations) {
    await tidyStage(stage);
    for (const make of goodRequests(row)) {
      const reply = await send({ row, sources: sourcesOf(await make(stage)) });
      const expected = refusedAlways[row.name];
      const fails = expected === undefined ? reply.status >= 300 : reply.status !== expected;
      if (fails) findings.push(`${row.name}: ${reply.status} ${reply.text}`);
      const { contentType, value } = bodyOf(reply);
      const answered = !fails && expected === undefined;
      if (answered && contentType === 'json' && !Check(row.response, value)) {
        const [first] = Errors(row.response, value);
        findings.push(`${row.name}: not of its schema: ${JSON.stringify(first)} ${reply.text}`);
      }
      const shouted = sourcesOf(await make(stage)).map(
        ([name, source]) =>
          [row.path.includes(`:${name}`) ? name : name.toUpperCase(), source] as const,
      );
      const again = await send({ row, sources: shouted });
      if (again.status !== (refusedAgain[row.name] ?? reply.status))
        findings.push(`${row.name}, names in upper case: ${again.text}`);
    }
  }
  expect(findings).toEqual([]);
});

test.each(named)('%s: each parameter with every bad value', async (_name, row) => {
  const findings: Finding[] = [];
  for (const make of goodRequests(row)) {
    for (const name of Object.keys(await make(stage))) {
      const reading = must(
        readingOf(row.parameters.properties[name]!),
        'a parameter has a reading',
      );
      const inPath = row.path.includes(`:${name}`);
      const good = goodSources(make);
      for (const bad of badValues(reading)) {
        // Without JSON there are no structures, only texts, and other values test these.
        if ((inPath || inQuery(row)) && isStructure(bad.source)) continue;
        const sources = (await good()).map((pair) =>
          pair[0] === name ? ([name, bad.source] as const) : pair,
        );
        const what = `${name} = ${bad.source.slice(0, 60)}`;
        await check(findings, what, { row, sources }, answerOf(row, name, bad));
      }
      await tidyStage(stage);
    }
  }
  expect(findings).toEqual([]);
});

/** The name as another surface spells it: a row that does not read it must not count it as sent. */
function otherSpelling({ surface }: Operation, name: string): string {
  if (surface !== 'fapi') return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The answers to an empty text and to null where the parameter says so (AUTH-3a). */
function answersToBlanks(
  row: Operation,
  name: string,
): Readonly<Record<'empty' | 'none', Failure | 'either'>> | undefined {
  const reading = must(readingOf(row.parameters.properties[name]!), 'a parameter has a reading');
  const malformed = { reason: 'parameterMalformed', name } as const;
  const passes = 'either' as const;
  if (reading.read === 'record') return { empty: malformed, none: passes };
  if (reading.refuses === undefined) return undefined;
  return { empty: reading.refuses === 'blank' ? malformed : passes, none: malformed };
}

test.each(named)(
  '%s: each parameter missing, empty, null, twice, spelled otherwise',
  async (_name, row) => {
    const findings: Finding[] = [];
    const required = new Set<string>(row.parameters.required ?? []);
    for (const make of goodRequests(row)) {
      for (const name of Object.keys(await make(stage))) {
        if (row.path.includes(`:${name}`)) continue;
        const missing = required.has(name)
          ? ({ reason: 'parameterMissing', name } as const)
          : 'either';
        const { empty, none } = answersToBlanks(row, name) ?? { empty: missing, none: missing };
        const good = goodSources(make);
        const without = async (source: string | undefined): Promise<Sources> =>
          (await good()).flatMap(([each, value]) =>
            each !== name
              ? [[each, value] as const]
              : source === undefined
                ? []
                : [[name, source] as const],
          );
        await check(
          findings,
          `${name} missing`,
          { row, sources: await without(undefined) },
          missing,
        );
        await check(findings, `${name} empty`, { row, sources: await without('""') }, empty);
        if (!inQuery(row)) {
          await check(findings, `${name} null`, { row, sources: await without('null') }, none);
        }
        const other = otherSpelling(row, name);
        if (other !== name) {
          const sources = (await good()).map(
            ([each, value]) => [each === name ? other : each, value] as const,
          );
          await check(findings, `${name} as ${other}`, { row, sources }, missing);
        }
        for (const twice of [name, name.toUpperCase()]) {
          const sent = await good();
          const [, source] = must(
            sent.find(([each]) => each === name),
            'the parameter is sent',
          );
          const repeatable = /IdList$/.test(name);
          const refused = inQuery(row)
            ? ({ reason: 'parameterMalformed', name } as const)
            : ({ reason: 'bodyMalformed' } as const);
          const sources: Sources = [...sent, [twice, source]];
          await check(
            findings,
            `${twice} twice`,
            { row, sources },
            repeatable ? 'either' : refused,
          );
        }
        await tidyStage(stage);
      }
    }
    expect(findings).toEqual([]);
  },
);

const brokenBodies = [
  '{',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":01}',
  '{"a":"\u0001"}',
  '{"a":"\\u12"}',
  '{"a":1}{"b":2}',
  '"text"',
  '12',
  'null',
  'true',
  '[',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '<order/>',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]),
];

test.each(named)('%s: every malformed body, and bodies of another kind', async (_name, row) => {
  const findings: Finding[] = [];
  const [make] = goodRequests(row);
  const good = goodSources(make!);
  const takesBody = !inQuery(row);
  for (const body of takesBody ? brokenBodies : []) {
    const what = `body ${body.toString('latin1' as never).slice(0, 40)}`;
    await check(findings, what, { row, sources: await good(), body }, { reason: 'bodyMalformed' });
  }
  const inBody = (await good()).filter(([name]) => !row.path.includes(`:${name}`));
  const required = new Set<string>(row.parameters.required ?? []);
  const needsBody = takesBody && inBody.some(([name]) => required.has(name));
  for (const body of [
    '',
    ' \r\n',
    '{}',
    '{"__proto__":{"symbol":"BTCUSDT"}}',
    '{"constructor":1}',
  ]) {
    const answer = needsBody ? 'refused' : 'either';
    await check(findings, `body ${body}`, { row, sources: await good(), body }, answer);
  }
  const arrayBodies = ['[]', '[1]', '[{}]'];
  for (const body of takesBody ? arrayBodies : []) {
    const listed = row.name.includes('Batch');
    const answer = listed ? 'either' : ({ reason: 'bodyMalformed' } as const);
    await check(findings, `body ${body}`, { row, sources: await good(), body }, answer);
  }
  if (takesBody) {
    const most = bodyBytesMax[row.surface];
    const large = `{"filler":"${'x'.repeat(most - 100)}"}`;
    const answer = needsBody ? 'refused' : 'either';
    await check(findings, 'a large body', { row, sources: await good(), body: large }, answer);
    const tooLarge = `{"filler":"${'x'.repeat(most)}"}`;
    const refused = { reason: 'bodyTooLarge' } as const;
    await check(findings, 'a body beyond', { row, sources: await good(), body: tooLarge }, refused);
  }
  await check(findings, 'a bad escape', { row, sources: await good(), query: 'x=%zz' }, 'either');
  await check(
    findings,
    'a long query',
    { row, sources: await good(), query: `x=${'y'.repeat(9000)}` },
    'either',
  );
  expect(findings).toEqual([]);
});

const wrongCredentials: readonly Readonly<Record<string, string>>[] = [
  {},
  { authorization: 'Bearer' },
  { authorization: 'Bearer ' },
  { authorization: 'Bearer x.y.z' },
  { authorization: `Bearer ${'x'.repeat(5000)}` },
  { authorization: 'Basic eDp5' },
  { authorization: 'Bearer \u00e4' },
  { 'x-mbx-apikey': '' },
  { 'x-mbx-apikey': 'f'.repeat(64) },
  { 'x-mbx-apikey': '__proto__' },
  { 'x-mbx-apikey': 'x'.repeat(5000) },
];

test.each(named)('%s: every wrong credential', async (_name, row) => {
  const findings: Finding[] = [];
  if (row.auth === 'none') return;
  const good = goodSources(goodRequests(row)[0]!);
  for (const headers of wrongCredentials) {
    const sources = await good();
    const open = row.auth === 'jwtOptional' && headers.authorization === undefined;
    const sent = { row, sources, headers, bare: true };
    await check(findings, JSON.stringify(headers), sent, open ? 'either' : 'refused');
  }
  expect(findings).toEqual([]);
});

test('ID-3 a strange Idempotency-Key is refused or accepted, and never causes a fault', async () => {
  const findings: Finding[] = [];
  for (const row of operations.filter(({ idempotent }) => idempotent === true)) {
    for (const key of ['', ' ', 'x'.repeat(5000), '\u00e4', '__proto__', '{}', 'a,b']) {
      const sources = sourcesOf(await goodRequests(row)[0]!(stage));
      const headers = { 'idempotency-key': key };
      await check(findings, `Idempotency-Key ${key}`, { row, sources, headers }, 'either');
    }
  }
  expect(findings).toEqual([]);
});

test('foreign ids: orders and keys of another account cannot be reached', async () => {
  const { orderId, clientOrderId, keyId, algoId, clientAlgoId } = stage.foreign;
  const foreignIdOf = ({ name }: Operation): string => {
    if (name.includes('ApiKey') || name === 'endSession') return keyId;
    return name.includes('Trigger') ? algoId : orderId;
  };
  const findings: Finding[] = [];
  for (const row of operations) {
    const names = Object.keys(row.parameters.properties);
    for (const [name, id] of [
      // The beginning of a list does not show the owner of that order.
      ...(row.name === 'getAllOrders' ? [] : [['orderId', orderId] as const]),
      ['origClientOrderId', clientOrderId],
      // A list of an account contains nothing of another account.
      ...(row.name.endsWith('AlgoOrder')
        ? ([
            ['algoId', algoId],
            ['clientAlgoId', clientAlgoId],
          ] as const)
        : []),
      ['id', foreignIdOf(row)],
    ] as const) {
      if (!names.includes(name)) continue;
      const [make] = goodRequests(row);
      const { orderId: _order, algoId: _trigger, ...rest } = await make!(stage);
      const sources = sourcesOf({ ...rest, [name]: id });
      if (row.name === 'placeAlgoOrder') continue;
      const unknown: Failure =
        row.surface === 'fapi'
          ? { reason: 'orderUnknown' }
          : row.name === 'endSession'
            ? { reason: 'sessionUnknown' }
            : row.name.includes('ApiKey')
              ? { reason: 'apiKeyUnknown' }
              : row.name.includes('Withdrawal')
                ? { reason: 'withdrawalUnknown' }
                : { reason: 'orderNotOwned' };
      await check(findings, `${name} of another`, { row, sources }, unknown);
    }
  }
  expect(findings).toEqual([]);
});
