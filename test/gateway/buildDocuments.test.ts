// The documentation as it is built: every page has its content, every link leads somewhere, and
// nothing comes from another host.

import { beforeAll, expect, test } from 'vitest';
import { fapiAdvice } from '../../src/api/errors/fapiAdvice.ts';
import { nativeAdvice } from '../../src/api/errors/nativeAdvice.ts';
import { publicOperations } from '../../src/api/operations.ts';
import { type BuiltDocuments, buildDocuments } from '../../src/gateway/documents/buildDocuments.ts';
import { errorsPage } from '../../src/gateway/documents/errorsPage.ts';
import { markdownHtml } from '../../src/gateway/documents/markdownHtml.ts';
import { fapiCodes } from '../api/fapiErrorCases.ts';
import { nativeCodes } from '../api/nativeErrorCases.ts';

let built: BuiltDocuments;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  built = await buildDocuments();
  pages = new Map(
    Array.from(built, ([path, { plain }]) => [path, Buffer.from(plain).toString()] as const).filter(
      ([path]) => !path.startsWith('/docs/files/'),
    ),
  );
});

test('there is a page for each part, and all are compressed', () => {
  for (const path of ['/docs', '/docs/streams', '/docs/start', '/docs/errors', '/docs/glossary']) {
    expect(pages.has(path), path).toBe(true);
  }
  for (const [path, { gzip, brotli, plain }] of built) {
    expect(gzip!.length, path).toBeLessThan(plain.length);
    expect(brotli!.length, path).toBeLessThan(plain.length);
  }
});

test('every link of every page leads to a page, a place or a document that is served', () => {
  const served = new Set(['/', '/favicon.ico', '/docs/openapi.json', '/docs/asyncapi.json']);
  const placesOf = (path: string): Set<string> =>
    new Set([...pages.get(path)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));
  for (const [path, html] of pages) {
    for (const [, link] of html.matchAll(/(?:href|src|data-document)="([^"]+)"/g)) {
      const [target, place] = link!.split('#');
      const page = target === '' ? path : target!;
      expect(built.has(page) || served.has(page), `${path}: ${link}`).toBe(true);
      if (place !== undefined) expect(placesOf(page), `${path}: ${link}`).toContain(place);
    }
  }
});

test('the list of rules names every page of rules, and a code in a text leads to its rule', () => {
  const list = pages.get('/docs/rules')!;
  const rules = [...pages.keys()].filter((path) => path.startsWith('/docs/rules/'));
  expect(rules.length).toBeGreaterThan(20);
  for (const path of rules) expect(list).toContain(`href="${path}"`);
  const referral = pages.get('/docs/rules/referral')!;
  expect(referral).toContain('<h2 id="NAT-4c" class="rule">NAT-4c</h2>');
  expect(referral).toContain('<a href="/docs/rules/fees#MAR-6">MAR-6</a>');
  // No sign of Markdown is left in a text.
  for (const [path, html] of pages) {
    const text = html.replace(/<(pre|code|style)[\s\S]*?<\/\1>/g, '');
    expect(text, path).not.toMatch(/\*\*|^#|\]\(|^\| /m);
  }
});

test('what an example contains stays text', () => {
  const html = markdownHtml('# A\n\n`<b>` & <x> \n\n    <script>alert(1)</script>\n', {
    linkOf: () => undefined,
    ruleOf: () => undefined,
  });
  expect(html).toContain('<code>&lt;b&gt;</code> &#38;');
  expect(html).not.toContain('<script>');
});

test('the page of errors has every code that has a reason, with advice and reasons', () => {
  const html = errorsPage(publicOperations);
  const codes = [...Object.keys(nativeAdvice), ...Object.keys(fapiAdvice)];
  for (const code of codes) {
    const begin = html.indexOf(`<h3 id="${code}">`);
    expect(begin, code).toBeGreaterThan(0);
    const entry = html.slice(begin, html.indexOf('<h3', begin + 1));
    expect(entry, code).toMatch(/<\/h3><p>[^<]{20,}<\/p><table>.*<td>\d{3}<\/td><td>\w/);
  }
  const shown = new Set(codes);
  const without = [...nativeCodes, ...fapiCodes].filter((code) => !shown.has(String(code)));
  expect(without).toEqual([]);
});

test('the script of the references loads nothing of another host by itself', () => {
  const renderer = [...built].find(([path]) => path.startsWith('/docs/files/redoc-'))!;
  const text = Buffer.from(renderer[1].plain).toString();
  expect(text).not.toContain('cdn.redoc.ly');
  const start = [...built].find(([path]) => path.startsWith('/docs/files/reference-'))!;
  expect(Buffer.from(start[1].plain).toString()).toContain('disableTelemetry: true');
  expect(renderer[1].brotli!.length).toBeLessThan(700_000);
});
