// The page of errors: each code with its statuses, the reasons behind it, what to do about it, and
// which requests can be answered with it. It is made of the tables that make the answers.

import { type FailureReason, failuresOf } from '../../api/errors/failuresOf.ts';
import { fapiAdvice } from '../../api/errors/fapiAdvice.ts';
import { nativeAdvice } from '../../api/errors/nativeAdvice.ts';
import { refusalErrors } from '../../api/errors/refusalErrors.ts';
import { rejectionErrors } from '../../api/errors/rejectionErrors.ts';
import type { WireError } from '../../api/errors/wireError.ts';
import type { Operation } from '../../api/operation.ts';
import { escaped } from './documentFrame.ts';

/** A code that more requests than these can have is a matter of every request. */
const namedRequestsMax = 10;

/** Each entry takes the data of its own reason; here only texts without data are shown. */
const errors = { ...rejectionErrors, ...refusalErrors } as unknown as Readonly<
  Record<FailureReason, WireError<never>>
>;

type Cause = {
  readonly reason: FailureReason;
  readonly status: number;
  /** Undefined where it depends on the request. */
  readonly text: string | undefined;
};

/** HTML for the codes of both surfaces, of these rows. */
export function errorsPage(rows: readonly Operation[]): string {
  const native = causesByCode((error) => [error.native.code, error.native.status, error.message]);
  const fapi = causesByCode((error) => [String(error.fapi.code), error.fapi.status, undefined]);
  const nativeRows = rows.filter(({ surface }) => surface !== 'fapi');
  const fapiRows = rows.filter(({ surface }) => surface === 'fapi');
  return (
    '<h1>Errors</h1>' +
    '<p>A request is either carried out or refused. What is refused has changed nothing. The ' +
    'code is for programs and stays the same; the text is for people and may name values.</p>' +
    '<p>A request without an answer may have been carried out. Read the state before you repeat ' +
    'it, or send an <code>Idempotency-Key</code> or a client order id of your own: then the ' +
    'repetition finds what the first request did.</p>' +
    section('Codes of the native routes', native, nativeAdvice, nativeRows) +
    section('Codes of the futures API', fapi, textKeys(fapiAdvice), fapiRows)
  );
}

function causesByCode(
  read: (error: WireError<never>) => readonly [string, number, WireError<never>['message']],
): ReadonlyMap<string, readonly Cause[]> {
  const found = new Map<string, Cause[]>();
  for (const [reason, error] of Object.entries(errors) as [FailureReason, WireError<never>][]) {
    const [code, status, message] = read(error);
    const text = message ?? error.msg;
    const causes = found.get(code) ?? [];
    causes.push({ reason, status, text: typeof text === 'string' ? text : undefined });
    found.set(code, causes);
  }
  return new Map([...found].sort(([a], [b]) => compareCodes(a, b)));
}

/** Words by the alphabet, numbers from -1000 downwards. */
function compareCodes(a: string, b: string): number {
  const difference = Number(b) - Number(a);
  if (!Number.isNaN(difference)) return difference;
  return a < b ? -1 : 1;
}

const textKeys = (advice: Readonly<Record<number, string>>): Readonly<Record<string, string>> =>
  advice;

function section(
  title: string,
  causes: ReadonlyMap<string, readonly Cause[]>,
  advice: Readonly<Record<string, string>>,
  rows: readonly Operation[],
): string {
  const requests = requestsByReason(rows);
  const entries = [...causes].map(([code, all]) => {
    // Reasons that no request of this surface can have are left out, unless the code has no other.
    const some = all.filter(({ reason }) => requests.has(reason));
    return entry(code, some.length === 0 ? all : some, advice[code] ?? '', requests);
  });
  const links = [...causes.keys()].map((code) => `<li><a href="#${code}">${code}</a></li>`);
  return `<h2>${title}</h2><ul class="contents">${links.join('')}</ul>${entries.join('')}`;
}

function entry(
  code: string,
  causes: readonly Cause[],
  advice: string,
  requests: ReadonlyMap<FailureReason, readonly string[]>,
): string {
  const lines = causes.map(
    ({ reason, status, text }) =>
      `<tr><td>${status}</td><td>${inWords(reason)}</td><td>${escaped(text ?? '')}</td></tr>`,
  );
  const named = [...new Set(causes.flatMap(({ reason }) => requests.get(reason) ?? []))];
  return (
    `<h3 id="${code}"><code>${code}</code></h3><p>${escaped(advice)}</p>` +
    `<table><thead><tr><th>Status</th><th>Reason</th><th>Text</th></tr></thead>` +
    `<tbody>${lines.join('')}</tbody></table>${requestsText(named)}`
  );
}

function requestsText(requests: readonly string[]): string {
  if (requests.length === 0) return '';
  if (requests.length > namedRequestsMax) {
    return `<p class="proof">${requests.length} requests can be answered so.</p>`;
  }
  const named = requests.map((request) => `<code>${escaped(request)}</code>`);
  return `<p class="proof">Answered by ${named.join(', ')}.</p>`;
}

function requestsByReason(
  rows: readonly Operation[],
): ReadonlyMap<FailureReason, readonly string[]> {
  const found = new Map<FailureReason, string[]>();
  for (const row of rows) {
    for (const reason of failuresOf(row)) {
      const requests = found.get(reason) ?? [];
      requests.push(`${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`);
      found.set(reason, requests);
    }
  }
  return found;
}

/** `orderNotFound` as `order not found`. */
const inWords = (reason: string): string =>
  reason.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
