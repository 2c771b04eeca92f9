// Decodes the %-escapes and `+` of query strings and forms, as `decodeURIComponent` does, but a bad
// escape is a result and not an exception.

const percent = 37;
const plus = 43;
const blank = 32;

/**
 * The decoded text; undefined for a bad escape, or one whose bytes are not UTF-8. The text itself
 * was read from UTF-8. Cost: two passes; a text without escapes is not copied.
 */
export function decodeEscapes(text: string): string | undefined {
  return decodePercents(text.includes('+') ? withBlanks(text) : text);
}

/** The same for a path, where `+` is a `+`. */
export function decodePercents(text: string): string | undefined {
  const first = text.indexOf('%');
  if (first < 0) return text;
  return isDecodable(text, first) ? decodeURIComponent(text) : undefined;
}

/** `+` is a blank. Works on bytes: replacing in a text is 30 times as slow. */
function withBlanks(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] === plus) bytes[i] = blank;
  return bytes.toString('utf8');
}

/** Whether every escape from `first` on is valid, so that the platform's decoder cannot throw. */
function isDecodable(text: string, first: number): boolean {
  let at = first;
  while (at >= 0) {
    const byte = byteAt(text, at + 1);
    if (byte < 0) return false;
    at += 3;
    if (byte >= 0x80) {
      const size = sizeOf(byte);
      if (!isContinued(text, at, byte, size)) return false;
      at += (size - 1) * 3;
    }
    if (text.charCodeAt(at) !== percent) at = text.indexOf('%', at);
  }
  return true;
}

/** The byte of two hex digits; negative if they are not hex digits. */
function byteAt(text: string, at: number): number {
  const high = digitOf(text.charCodeAt(at));
  const low = digitOf(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const small = code | 32;
  return code < 128 && small >= 97 && small <= 102 ? small - 87 : -1;
}

/** How many bytes a character with this first byte has; 0: no character begins so (RFC 3629). */
function sizeOf(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

/** Whether the escapes from `at` on complete the character that begins with `first`. */
function isContinued(text: string, at: number, first: number, size: number): boolean {
  if (size === 0) return false;
  let point = first & (0x7f >> size);
  for (let i = 0; i < size - 1; i += 1) {
    if (text.charCodeAt(at + i * 3) !== percent) return false;
    const byte = byteAt(text, at + i * 3 + 1);
    if (byte < 0 || (byte & 0xc0) !== 0x80) return false;
    point = (point << 6) | (byte & 0x3f);
  }
  const isLonger = (size === 3 && point < 0x800) || (size === 4 && point < 0x10000);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return !isLonger && !isSurrogate && point <= 0x10ffff;
}
