// Removes secrets from what is written for people. The messages contain none by design. This file
// is a second protection, against what a library puts into an error and what a client puts into an
// address. It removes known secrets everywhere, and others by their form or their name.

export const redacted = '[secret]';

/** Shorter texts are not secrets, and would also match inside words. */
const secretLengthMin = 8;

/**
 * The part of a match that remains is in the pattern's first group. Cost: proportional to the text.
 * No pattern begins where another try of it has just failed to end.
 */
const patterns: readonly RegExp[] = [
  /(\bBearer\s+)[^\s"',]+/gi,
  // Members and parameters that hold a secret, in JSON, in a query, in a header. A token that is a
  // contract's address in JSON is none.
  /(\b(?:signature|listenKey|secret|secret_key|secretKey|password|token(?!"\s*:\s*"0x[0-9a-f]{40}")|nonce|x-mbx-apikey|api_?key|idempotency-key)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
  // A listen key in the path of a socket.
  /(\/ws\/)[A-Za-z0-9]{32,}/g,
];

/** Longer than every id, symbol and number in an address. */
const longValue = /[\w.-]{40,}/g;

/** Everything up to an @ that could be an address with a password; each character is read once. */
const beforeAt = /[^\s@]+@?/g;
const passwordAt = /:\/\/[^\s:/@]*:/;

/** Removes the password of a URL, as in database URLs. */
function redactPasswords(text: string): string {
  return text.replace(beforeAt, (run) => {
    const found = run.endsWith('@') ? passwordAt.exec(run) : null;
    if (found === null) return run;
    const end = found.index + found[0].length;
    return end === run.length - 1 ? run : `${run.slice(0, end)}${redacted}@`;
  });
}

/** Words and dots. A token that a login gives is three words, and the first begins with eyJ. */
const dottedRun = /[\w.-]+/g;
const tokenHead = /\beyJ[\w-]+$/;

function redactTokens(text: string): string {
  return text.replace(dottedRun, (run) => {
    const words = run.split('.');
    const kept: string[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at]!;
      const start = words[at + 1] && words[at + 2] ? word.search(tokenHead) : -1;
      kept.push(start < 0 ? word : word.slice(0, start) + redacted);
      if (start >= 0) at += 2;
    }
    return kept.join('.');
  });
}

/** Removes the secrets that the text itself shows by form or name. */
export function redactText(text: string): string {
  const left = redactTokens(redactPasswords(text));
  return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${redacted}`), left);
}

/** A request's path and query: also removes every value long enough to be a key. */
export function redactTarget(target: string): string {
  return redactText(target).replace(longValue, redacted);
}

/** Removes these secrets, and those that the text itself shows by form or name. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  let left = text;
  for (const secret of secrets) {
    if (secret.length >= secretLengthMin) left = left.replaceAll(secret, redacted);
  }
  return redactText(left);
}

/** A database's URL and its password, encoded and plain; empty when the text is not a URL. */
export function secretsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  return password === '' ? [] : [text, password, decodeURIComponent(password)];
}
