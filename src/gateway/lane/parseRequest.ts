// The fast lane's parser of requests. It knows one narrow form: a whole request and nothing else,
// of which every byte means the same to every reader of HTTP. It refuses nothing: all else is read
// by the platform. `npm run fuzz -- lane` compares the two.

import { type ReadHeaders, readHeaderNames } from '../incomingRequest.ts';

export type LaneRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: ReadHeaders;
  /** undefined: the head announces none, or an empty one. */
  readonly body: Buffer | undefined;
};

/** A request of the lane, if these bytes are one and nothing else. */
export type ParseRequest = (bytes: Buffer) => LaneRequest | 'handOver';

/** The platform's own bounds are 16 KB and 100 lines (AUTH-10). */
const requestBytesMax = 8192;
const linesMax = 60;

const lf = 10;
const cr = 13;
const blank = 32;
const colon = 58;

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((name) => ({
  name,
  opening: bytesOf(`${name} /fapi/`),
}));
const lineEnd = bytesOf(' HTTP/1.1\r\n');

/** 1 for each byte that may stand there. */
function tableOf(allowed: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    allowed.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}

const inTarget = tableOf(/[\w\-.~!$&'()*+,;=:@%/?]/);
const inName = tableOf(/[A-Za-z0-9-]/);
const inValue = tableOf(/[ -~]/);

type ReadName = (typeof readHeaderNames)[number];
/** `read`: a handler sees it. `foreign`: the platform must read it. `plain`: it must not repeat. */
type Known = { readonly name: string; readonly bytes: Uint8Array; readonly kind: Kind };
type Kind = 'read' | 'foreign' | 'plain' | 'connection';

/** What changes how the request is framed, answered or carried. */
const foreignNames = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'te',
  'trailer',
];
const unread = new Set<string>(foreignNames);

/** By the length of the name. */
const known: Known[][] = Array.from({ length: 32 }, () => []);
for (const name of foreignNames) addKnown(name, 'foreign');
for (const name of readHeaderNames) if (!unread.has(name)) addKnown(name, 'read');
addKnown('host', 'plain');
addKnown('connection', 'connection');

function addKnown(name: string, kind: Kind): void {
  known[name.length]!.push({ name, bytes: bytesOf(name), kind });
}

/** All names from the start, so that every request has an object of one shape. */
const noHeaders = Object.fromEntries(readHeaderNames.map((name) => [name, undefined]));

/** A request that is being read. */
type Reading = {
  readonly bytes: Buffer;
  /** The next byte. */
  at: number;
  readonly headers: Record<ReadName, string | undefined>;
  hasHost: boolean;
  hasConnection: boolean;
};

/** Cost: one pass over the head. Makes texts only of the target and of headers that are read. */
export function parseRequest(bytes: Buffer): LaneRequest | 'handOver' {
  if (bytes.length > requestBytesMax) return 'handOver';
  const method = methods.find(({ opening }) => isAt(bytes, 0, opening));
  if (method === undefined) return 'handOver';
  const begin = method.name.length + 1;
  const end = endOf(bytes, begin, inTarget);
  if (!isAt(bytes, end, lineEnd)) return 'handOver';
  const headers = { ...noHeaders } as Reading['headers'];
  const at = end + lineEnd.length;
  const reading: Reading = { bytes, at, headers, hasHost: false, hasConnection: false };
  for (let lines = 0; bytes[reading.at] !== cr; lines += 1) {
    if (lines === linesMax || !readLine(reading)) return 'handOver';
  }
  const bodyAt = reading.at + 2;
  const length = lengthOf(headers['content-length']);
  if (bytes[reading.at + 1] !== lf || bytes.length !== bodyAt + length) return 'handOver';
  return {
    method: method.name,
    target: bytes.toString('latin1', begin, end),
    headers,
    body: length === 0 ? undefined : bytes.subarray(bodyAt),
  };
}

/** Reads one line of the head; false: the platform must read it. */
function readLine(reading: Reading): boolean {
  const { bytes, at } = reading;
  const nameEnd = endOf(bytes, at, inName);
  if (nameEnd === at || bytes[nameEnd] !== colon) return false;
  const begin = nameEnd + (bytes[nameEnd + 1] === blank ? 2 : 1);
  const end = endOf(bytes, begin, inValue);
  // Blanks around a value are not part of it, and an empty value is no usual one.
  if (end === begin || bytes[begin] === blank || bytes[end - 1] === blank) return false;
  if (bytes[end] !== cr || bytes[end + 1] !== lf) return false;
  reading.at = end + 2;
  const name = knownAt(bytes, at, nameEnd);
  return name === undefined || takeKnown(reading, name, { begin, end });
}

function takeKnown(
  reading: Reading,
  { name, kind }: Known,
  { begin, end }: { readonly begin: number; readonly end: number },
): boolean {
  const { bytes, headers } = reading;
  switch (kind) {
    case 'foreign':
      return false;
    case 'plain':
      if (reading.hasHost) return false;
      reading.hasHost = true;
      return true;
    case 'connection':
      if (reading.hasConnection) return false;
      reading.hasConnection = true;
      return bytes.toString('latin1', begin, end).toLowerCase() === 'keep-alive';
    case 'read':
      if (headers[name as ReadName] !== undefined) return false;
      headers[name as ReadName] = bytes.toString('latin1', begin, end);
      return name !== 'content-length' || lengthOf(headers['content-length']) >= 0;
  }
}

/** The bytes of the body; -1 for a length that is not written in the one usual way. */
function lengthOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return /^(?:0|[1-9]\d{0,3})$/.test(text) ? Number(text) : -1;
}

function knownAt(bytes: Buffer, at: number, end: number): Known | undefined {
  const candidates = known[end - at];
  if (candidates === undefined) return undefined;
  for (const candidate of candidates) if (isNamed(bytes, at, candidate.bytes)) return candidate;
  return undefined;
}

/** Whether the name there is this one, whatever its case; `name` is in small letters. */
function isNamed(bytes: Buffer, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i += 1) if ((bytes[at + i]! | 32) !== name[i]) return false;
  return true;
}

function isAt(bytes: Buffer, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i += 1) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/** The first byte from `at` on that may not stand there, or the end. */
function endOf(bytes: Buffer, at: number, allowed: Uint8Array): number {
  let end = at;
  while (end < bytes.length && allowed[bytes[end]!] === 1) end += 1;
  return end;
}
