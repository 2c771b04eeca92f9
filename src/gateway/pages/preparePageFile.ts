// Files of the trading page and of the documentation as they are sent: compressed once, and kept by
// browsers as long as they may be.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type PreparedDocument, tagOf } from '../preparedDocument.ts';
import { applicationHeaders } from './applicationHeaders.ts';

const keptForever = 'public, max-age=31536000, immutable';
/** A browser asks each time whether its copy is the present one; a new release is seen at once. */
const askedEachTime = 'no-cache';
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A file whose name changes with its content. */
export function preparePageFile(
  content: Uint8Array,
  contentType: string,
): Promise<PreparedDocument> {
  return prepare(content, { contentType, caching: keptForever });
}

/** The page itself. */
export function preparePageShell(html: string): Promise<PreparedDocument> {
  return preparePageText(html, applicationHeaders);
}

/** Any page, with its own headers: names and values alternate. */
export function preparePageText(
  html: string,
  headers: readonly string[],
): Promise<PreparedDocument> {
  const about = { contentType: 'text/html; charset=utf-8', caching: askedEachTime };
  return prepare(Buffer.from(html), { ...about, headers });
}

type About = Pick<PreparedDocument, 'contentType' | 'caching'> & {
  readonly headers?: readonly string[];
};

async function prepare(
  plain: Uint8Array,
  { contentType, caching, headers = [] }: About,
): Promise<PreparedDocument> {
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, brotliOptions),
  ]);
  return {
    tag: tagOf(hash('sha256', plain, 'hex')),
    contentType,
    caching,
    headers,
    plain,
    gzip: zipped,
    brotli,
  };
}
