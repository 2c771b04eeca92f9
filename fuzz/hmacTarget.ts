// The target of signed requests (AUTH-2): requests that clients signed, changed afterwards. A
// changed request that is admitted means the same to every endpoint as the signed one. An unchanged
// request is always admitted.

import { createHmac } from 'node:crypto';
import { isFields, jsonNull, type Value } from '../src/api/fields.ts';
import { isRefusal } from '../src/api/readParameters.ts';
import { checkSignature, signatureMatches } from '../src/gateway/checkSignature.ts';
import { makeHmacKey } from '../src/gateway/identity/hmacSignature.ts';
import { type Pairs, parsePairs } from '../src/gateway/parsePairs.ts';
import { requestBodyOf } from '../src/gateway/requestBody.ts';
import { requestFields } from '../src/gateway/requestFields.ts';
import { checkParams } from '../src/gateway/sockets/checkParams.ts';
import { frameFields, parseTradingFrame } from '../src/gateway/sockets/tradingFrame.ts';
import { createDraw, type Draw, spoilBytes, spoilText } from './draw.ts';
import { demand, type TargetReport, type TargetRun, tryAlone } from './target.ts';

/** The secret that signs all requests of this target. */
export const signingSecret = 'c0ffee'.repeat(10);
const key = makeHmacKey(signingSecret);
const stranger = makeHmacKey('decade'.repeat(10));
const now = 1_760_000_000_000;

export function hmacTarget(run: TargetRun): Promise<TargetReport> {
  return tryAlone('hmac', run, (seed) => {
    const draw = createDraw(seed);
    return draw.once(4) ? tryFrame(draw) : tryRequest(draw);
  });
}

/** A request as it arrives: the query without its question mark, the body's bytes, its type. */
export type Signed = {
  readonly query: string;
  readonly body: Buffer;
  readonly contentType: string;
};

const sign = (text: string | Buffer): string =>
  createHmac('sha256', signingSecret).update(text).digest('hex');

const names = ['symbol', 'side', 'type', 'quantity', 'price', 'timeInForce', 'newClientOrderId'];
const values = ['BTCUSDT', 'BUY', 'LIMIT', '0.010', '59000.1', 'GTC', 'a:b/c d', 'ü☃', '1e3', ''];

type Pair = readonly [name: string, value: string];

function drawPairs(draw: Draw): readonly Pair[] {
  const used = names.filter(() => draw.once(2));
  return used.map((name) => [name, draw.pick(values)] as const);
}

const encoded = (pairs: readonly Pair[]): string =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
const plain = (pairs: readonly Pair[]): string => pairs.map((pair) => pair.join('=')).join('&');

/**
 * As clients sign: parameters in the query, in a form or as JSON; encoded or, for some clients,
 * decoded.
 */
function drawSigned(draw: Draw): Signed {
  const pairs = drawPairs(draw);
  const stamp: Pair = ['timestamp', String(now + draw.pick([0, 59_999, -60_000]))];
  const signedText = draw.once(4) ? plain : encoded;
  const form = 'application/x-www-form-urlencoded';
  switch (draw.below(4)) {
    case 0: {
      const query = [...pairs, stamp];
      const signature = sign(signedText(query));
      const at = draw.below(query.length + 1);
      const whole: Pair[] = [...query];
      whole.splice(at, 0, ['signature', signature]);
      return { query: encoded(whole), body: Buffer.alloc(0), contentType: '' };
    }
    case 1: {
      const body = Buffer.from(JSON.stringify(Object.fromEntries(pairs)));
      const query = encoded([stamp]);
      const signature = sign(Buffer.concat([Buffer.from(query), body]));
      return { query: `${query}&signature=${signature}`, body, contentType: 'application/json' };
    }
    case 2: {
      const head = draw.once(2) ? [stamp] : [stamp, ['recvWindow', '5000'] as const];
      const query = `${encoded(head)}&signature=${sign(signedText(head) + signedText(pairs))}`;
      return { query, body: Buffer.from(encoded(pairs)), contentType: form };
    }
    default: {
      const whole = [...pairs, stamp];
      const body = `${encoded(whole)}&signature=${sign(signedText(whole))}`;
      return { query: '', body: Buffer.from(body), contentType: form };
    }
  }
}

/** What the request gives to a row, as one text; undefined when it is refused. */
export function admitted({ query, body, contentType }: Signed, by = key): string | undefined {
  const pairs = parsePairs(query);
  const read = requestBodyOf(body, contentType);
  const signed = { query: pairs, body: read, now };
  const matches = (): boolean => signatureMatches(by, signed);
  if (checkSignature(matches, signed) !== undefined) return undefined;
  const fields = requestFields(pairs, read, undefined);
  return isRefusal(fields) ? undefined : meaningOf(fields);
}

const ofAuthentication = new Set(['signature', 'timestamp']);

function meaningOf(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isFields(value)) return `[${value.map(meaningOf).join()}]`;
  const members = [...value].filter(
    ([name, each]) => !ofAuthentication.has(name) && each !== jsonNull,
  );
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${meaningOf(each)}`).sort()}}`;
}

function tryRequest(draw: Draw): string {
  const good = drawSigned(draw);
  const said = admitted(good);
  demand(said !== undefined, () => `refused as the client signed it: ${described(good)}`);
  demand(admitted(good, stranger) === undefined, () => `taken for another's: ${described(good)}`);
  const bad = change(draw, good);
  const heard = admitted(bad);
  demand(heard === undefined || heard === said, () => {
    return `${described(good)} was signed, ${described(bad)} is taken: ${heard} for ${said}`;
  });
  return heard === undefined ? 'changed: refused' : 'spelt otherwise: taken';
}

const described = ({ query, body, contentType }: Signed): string =>
  JSON.stringify({ query, body: body.toString('latin1'), contentType });

function change(draw: Draw, good: Signed): Signed {
  const { query, body, contentType } = good;
  switch (draw.below(body.length === 0 ? 4 : 7)) {
    case 0:
      return { ...good, query: spoilText(draw, query) };
    case 1:
      return { ...good, query: spoilBytes(draw, Buffer.from(query)).toString('latin1') };
    case 2:
      return { ...good, query: changePairs(draw, parsePairs(query)) };
    case 3:
      return moveBytes(draw, good);
    case 4:
    case 5:
      return { ...good, body: spoilBytes(draw, body) };
    default:
      return { ...good, contentType: draw.pick(['', 'text/plain', spoilText(draw, contentType)]) };
  }
}

/** Reorders, doubles, removes or adds pairs. */
function changePairs(draw: Draw, { raw, items }: Pairs): string {
  const pairs = items.map(({ start, end }) => raw.slice(start, end));
  const at = draw.below(pairs.length + 1);
  const more = draw.pick(['price=1', 'recvWindow=1', 'a', '', 'Timestamp=1', ...pairs]);
  switch (draw.below(4)) {
    case 0:
      pairs.reverse();
      break;
    case 1:
      pairs.splice(at, 1);
      break;
    case 2:
      pairs.splice(at, 0, more);
      break;
    default:
      pairs.splice(at, 1, more);
  }
  return pairs.join('&');
}

/** Moves bytes over the border between query and body, which the signature does not mark. */
function moveBytes(draw: Draw, { query, body, contentType }: Signed): Signed {
  const text = body.toString('latin1');
  const size = 1 + draw.below(Math.max(1, text.length));
  if (draw.once(2)) {
    const moved = Buffer.from(text.slice(size), 'latin1');
    return { query: query + text.slice(0, size), body: moved, contentType };
  }
  const at = Math.max(0, query.length - size);
  return { query: query.slice(0, at), body: Buffer.from(query.slice(at) + text), contentType };
}

/** What a frame of the trading socket gives to a row; undefined when it is refused. */
function frameMeaning(text: string): string | undefined {
  const frame = parseTradingFrame(text);
  if ('refusal' in frame || checkParams(key, frame, now) !== undefined) return undefined;
  return `${frame.method} ${meaningOf(frameFields(frame))}`;
}

function tryFrame(draw: Draw): string {
  const params = Object.fromEntries([
    ...drawPairs(draw),
    ['apiKey', 'ab'.repeat(32)],
    ['timestamp', now],
  ]) as Record<string, unknown>;
  const sorted = Object.entries(params)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]): Pair => [name, String(value)]);
  const signature = sign((draw.once(3) ? plain : encoded)(sorted));
  const shown = draw.once(4) ? Buffer.from(signature, 'hex').toString('base64') : signature;
  const frame = { id: 1, method: 'order.place', params: { ...params, signature: shown } };
  const good = JSON.stringify(frame);
  const said = frameMeaning(good);
  demand(said !== undefined, () => `a frame is refused as it was signed: ${good}`);
  const inParams = good.slice(good.indexOf('"params"'));
  const head = good.slice(0, good.indexOf('"params"'));
  const bad = head + spoilText(draw, inParams);
  const heard = frameMeaning(bad);
  demand(heard === undefined || heard === said, () => `${good} was signed, ${bad} is taken`);
  return heard === undefined ? 'changed frame: refused' : 'frame spelt otherwise: taken';
}
