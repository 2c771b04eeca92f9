// What an answer to a request of the page must be: of the same origin, without a detour,
// compressed, kept as long as it may be, with a character set, and with the headers that bind
// scripts.

import type { Response } from 'playwright-core';

/** Texts below this size gain nothing by compression. */
const compressedFrom = 1400;
/** A browser must have read the character set within so many bytes. */
const charsetWithin = 1024;

type Headers = Readonly<Record<string, string>>;

/** Sentences; `host` is that of the page. */
export async function judgeAnswer(response: Response, host: string): Promise<string[]> {
  const url = new URL(response.url());
  if (url.protocol === 'data:' || url.protocol === 'blob:') return [];
  if (url.host !== host) return [`a request to another origin: ${url.href}`];
  const headers = await response.allHeaders();
  const kind = response.request().resourceType();
  const isOurs = kind !== 'fetch' && kind !== 'xhr';
  const found = [
    ...(isOurs ? await judgeFile(response, headers) : judgeData(response)),
    ...(kind === 'document' ? judgePolicy(headers) : []),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['its type may be guessed']),
    ...(headers['set-cookie'] === undefined ? [] : ['it sets a cookie']),
  ];
  return found.map((each) => `${url.pathname}: ${each}`);
}

/** A market without a trade has no candles: the page is answered so, too. */
const isData = (status: number): boolean => status < 400 || status === 404;

const judgeData = (response: Response): string[] =>
  isData(response.status()) ? [] : [`it was answered ${response.status()}`];

async function judgeFile(response: Response, headers: Headers): Promise<string[]> {
  const found: string[] = [];
  if (response.status() !== 200) return [`it was answered ${response.status()}`];
  if (response.request().redirectedFrom() !== null) found.push('it came by a redirection');
  const type = headers['content-type'] ?? '';
  const isText = /^text\/|javascript|json|svg/.test(type);
  const body = await response.body();
  if (isText && body.length >= compressedFrom && headers['content-encoding'] === undefined) {
    found.push('it is not compressed');
  }
  if (type.startsWith('text/') && !/charset=utf-8/i.test(type)) found.push('it has no charset');
  const caching = headers['cache-control'] ?? '';
  const { pathname } = new URL(response.url());
  if (pathname.startsWith('/page/')) {
    if (!/max-age=31536000\b.*immutable/.test(caching)) found.push('it is not kept for a year');
  } else if (!/no-cache|max-age=[1-9]/.test(caching)) found.push('it does not say how it is kept');
  // A browser shows no page again at once that must not be stored.
  if (caching.includes('no-store')) found.push('it must not be stored');
  const text = isText ? body.toString() : '';
  if (/sourceMappingURL=(?!data:)/.test(text)) found.push('it names a source map');
  if (type.startsWith('text/html')) {
    const at = text.search(/<meta charset="utf-8">/i);
    if (at < 0 || at > charsetWithin) found.push('its charset comes late');
  }
  return found;
}

/** What a policy must contain so that a script of others cannot run; see CON-5. */
const demanded: readonly (readonly [header: string, has: RegExp, what: string])[] = [
  ['content-security-policy', /default-src 'none'/, 'everything is forbidden at first'],
  ['content-security-policy', /script-src 'self'(;|$)/, 'scripts are those of the page alone'],
  ['content-security-policy', /style-src 'self'(;|$)/, 'styles are those of the page alone'],
  ['content-security-policy', /base-uri 'none'/, 'no base is set'],
  ['content-security-policy', /form-action 'none'/, 'no form is sent'],
  ['content-security-policy', /frame-ancestors 'none'/, 'it is in no frame'],
  ['content-security-policy', /require-trusted-types-for 'script'/, 'no text becomes a script'],
  ['x-frame-options', /^DENY$/, 'it is in no frame of older browsers'],
  ['referrer-policy', /^no-referrer$/, 'others do not learn where a person comes from'],
  ['cross-origin-opener-policy', /^same-origin$/, 'no other page holds its window'],
];

const judgePolicy = (headers: Headers): string[] =>
  demanded
    .filter(([header, has]) => !has.test(headers[header] ?? ''))
    .map(([header, , what]) => `its ${header} does not say that ${what}`);
