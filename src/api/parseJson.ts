// JSON as the gateway needs it: numbers keep their source text (UNIT-4), names become lower case
// (AUTH-2), objects are maps without a prototype, and a repeated name is malformed.

import { jsonNull, noFields, type Value } from './fields.ts';

/** Deeper nesting is malformed; no operation needs more than a list of objects. */
const depthMax = 16;
/**
 * The bound on values of a text and members of an object (AUTH-10). The largest legal text has
 * about 150, and the largest legal object about 30.
 */
const valuesMax = 1024;
const membersMax = 64;

type Cursor = {
  readonly text: string;
  readonly nameOf: (name: string) => string;
  at: number;
  /** The number of values that have begun. */
  values: number;
};

const malformed = Symbol('malformed');
type Malformed = typeof malformed;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const inLowerCase = (name: string): string => name.toLowerCase();

/**
 * The value of a JSON text; undefined when it is malformed. JSON's null reads as `jsonNull`. Names
 * become lower case unless `nameOf` maps them otherwise.
 */
export function parseJson(text: string, nameOf = inLowerCase): Value | undefined {
  const cursor = { text, nameOf, at: 0, values: 0 };
  const value = readValue(cursor, 0);
  skipSpace(cursor);
  return value === malformed || cursor.at !== text.length ? undefined : value;
}

function skipSpace(cursor: Cursor): number {
  const { text } = cursor;
  let code = text.charCodeAt(cursor.at);
  while (code === 32 || code === 10 || code === 13 || code === 9) {
    cursor.at += 1;
    code = text.charCodeAt(cursor.at);
  }
  return code;
}

function readValue(cursor: Cursor, depth: number): Value | Malformed {
  cursor.values += 1;
  if (depth > depthMax || cursor.values > valuesMax) return malformed;
  switch (skipSpace(cursor)) {
    case 123:
      return readObject(cursor, depth);
    case 91:
      return readArray(cursor, depth);
    case 34:
      return readString(cursor);
    case 116:
      return readWord(cursor, 'true', 'true');
    case 102:
      return readWord(cursor, 'false', 'false');
    case 110:
      return readWord(cursor, 'null', jsonNull);
    default:
      return readNumber(cursor);
  }
}

function readWord(cursor: Cursor, word: string, value: Value): Value | Malformed {
  if (!cursor.text.startsWith(word, cursor.at)) return malformed;
  cursor.at += word.length;
  return value;
}

function readNumber(cursor: Cursor): string | Malformed {
  return readWhole(cursor) ?? readAnyNumber(cursor);
}

/** A whole number above zero, which most are; undefined for any other. */
function readWhole(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor;
  let at = start;
  let code = text.charCodeAt(at);
  if (code === 48) return undefined;
  while (code >= 48 && code <= 57) {
    at += 1;
    code = text.charCodeAt(at);
  }
  if (at === start || code === 46 || code === 69 || code === 101) return undefined;
  cursor.at = at;
  return text.slice(start, at);
}

function readAnyNumber(cursor: Cursor): string | Malformed {
  number.lastIndex = cursor.at;
  const match = number.exec(cursor.text);
  if (match === null) return malformed;
  cursor.at += match[0].length;
  return match[0];
}

/** Reads a string. The cursor is at its opening quote. */
function readString(cursor: Cursor): string | Malformed {
  const { text } = cursor;
  const start = cursor.at + 1;
  let escaped = false;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      cursor.at = at + 1;
      return escaped ? unescaped(text.slice(start - 1, at + 1)) : text.slice(start, at);
    }
    if (code < 32) return malformed;
    if (code === 92) {
      escaped = true;
      at += 1;
    }
  }
  return malformed;
}

function unescaped(quoted: string): string | Malformed {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return malformed;
  }
}

function readArray(cursor: Cursor, depth: number): Value | Malformed {
  const items: Value[] = [];
  cursor.at += 1;
  if (skipSpace(cursor) === 93) {
    cursor.at += 1;
    return items;
  }
  for (;;) {
    const value = readValue(cursor, depth + 1);
    if (value === malformed) return malformed;
    items.push(value);
    const code = skipSpace(cursor);
    cursor.at += 1;
    if (code === 93) return items;
    if (code !== 44) return malformed;
  }
}

function readObject(cursor: Cursor, depth: number): Value | Malformed {
  cursor.at += 1;
  if (skipSpace(cursor) === 125) {
    cursor.at += 1;
    // The outermost object belongs to its reader, who may add to it.
    return depth > 0 ? noFields : new Map();
  }
  const members = new Map<string, Value>();
  for (;;) {
    if (skipSpace(cursor) !== 34) return malformed;
    const name = readString(cursor);
    if (name === malformed || skipSpace(cursor) !== 58) return malformed;
    cursor.at += 1;
    const value = readValue(cursor, depth + 1);
    if (value === malformed) return malformed;
    const key = cursor.nameOf(name);
    if (members.has(key) || members.size === membersMax) return malformed;
    members.set(key, value);
    const code = skipSpace(cursor);
    cursor.at += 1;
    if (code === 125) return members;
    if (code !== 44) return malformed;
  }
}
