// Documents as they are sent (CON-4). Each is made once, from the answer of a row, and compressed
// in the background; after that it is only written. A client that has the document gets 304.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from '../api/operation.ts';
import type { ReadHeaders } from './incomingRequest.ts';
import { pageHeaders } from './pageHeaders.ts';

export type PreparedDocument = {
  readonly tag: string;
  readonly contentType: string;
  /** How long a client may keep it. */
  readonly caching: string;
  /** Further headers: names and values. */
  readonly headers: readonly string[];
  readonly plain: Uint8Array;
  /** Undefined until they are made. */
  gzip: Uint8Array | undefined;
  brotli: Uint8Array | undefined;
};

const keptAWhile = 'public, max-age=300';
/** No browser sends a longer list of encodings; such a list is not read. */
const encodingsLengthMax = 200;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const prepared = new WeakMap<Answer, PreparedDocument>();
/** Resolve when the compressed forms are made. */
const compressions = new WeakMap<PreparedDocument, Promise<void>>();

/** The document of an answer, made at the first call; its compressed forms come a little later. */
export function documentOf(answer: Answer): PreparedDocument {
  const known = prepared.get(answer);
  if (known !== undefined) return known;
  const { text, contentType = 'application/json; charset=utf-8' } = answer;
  const document: PreparedDocument = {
    tag: tagOf(hash('sha256', text, 'hex')),
    contentType,
    caching: keptAWhile,
    headers: contentType.startsWith('text/html') ? pageHeaders(text) : [],
    plain: Buffer.from(text),
    gzip: undefined,
    brotli: undefined,
  };
  prepared.set(answer, document);
  compressions.set(document, compress(document));
  return document;
}

/** A form that cannot be made is not sent. */
async function compress(document: PreparedDocument): Promise<void> {
  const making = [
    promisify(gzip)(document.plain, { level: 9 }).then((bytes) => {
      document.gzip = bytes;
    }),
    promisify(brotliCompress)(document.plain, brotliOptions).then((bytes) => {
      document.brotli = bytes;
    }),
  ];
  await Promise.allSettled(making);
}

/** The weak tag of content with this hash: its compressed forms have the same one. */
export function tagOf(contentHash: string): string {
  return `W/"${contentHash.slice(0, 24)}"`;
}

/** Resolves when all forms of the document are made. */
export async function prepareDocument(answer: Answer): Promise<void> {
  await compressions.get(documentOf(answer));
}

/** The answer for a document that another thread has made. */
export function answerOfDocument(document: PreparedDocument): Answer {
  const answer: Answer = { status: 200, text: '', document: true };
  prepared.set(answer, document);
  return answer;
}

export type Representation = {
  readonly status: number;
  /** Names and values. */
  readonly headers: readonly string[];
  readonly bytes: Uint8Array | undefined;
};

/** The form of the document for this client. */
export function representationOf(document: PreparedDocument, headers: ReadHeaders): Representation {
  const { tag, contentType, caching } = document;
  const common = [
    ...document.headers,
    'ETag',
    tag,
    'Cache-Control',
    caching,
    'Vary',
    'Accept-Encoding',
  ];
  if (headers['if-none-match']?.includes(tag) === true) {
    return { status: 304, headers: common, bytes: undefined };
  }
  const [encoding, bytes] = encodingOf(document, headers['accept-encoding'] ?? '');
  const encoded = encoding === '' ? [] : ['Content-Encoding', encoding];
  const about = ['Content-Type', contentType, 'Content-Length', String(bytes.length)];
  return { status: 200, headers: [...common, ...encoded, ...about], bytes };
}

function encodingOf(
  { plain, gzip: gzipped, brotli }: PreparedDocument,
  accepted: string,
): readonly [encoding: string, bytes: Uint8Array] {
  if (accepted.length <= encodingsLengthMax) {
    if (brotli !== undefined && accepts(accepted, 'br')) return ['br', brotli];
    if (gzipped !== undefined && accepts(accepted, 'gzip')) return ['gzip', gzipped];
  }
  return ['', plain];
}

function accepts(list: string, encoding: string): boolean {
  return list.split(',').some((item) => {
    const [name = '', quality = ''] = item.split(';');
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(?:\.0*)?\s*$/.test(quality);
  });
}
