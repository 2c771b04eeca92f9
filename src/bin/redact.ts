// Removes secrets from what is written for people. The messages contain none by design. This file
// is a second protection, against what a library puts into an error and what a client puts into an
// address. It removes known secrets everywhere, and others by their form or their name.

export const redacted = '[secret]';

/** Shorter texts are not secrets, and would also match inside words. */
const secretLengthMin = 8;

/** The part of a match that remains is in the pattern's first group. */
const patterns: readonly RegExp[] = [
  // The password in a URL, as in database URLs.
  /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@]+(?=@)/gi,
  /(\bBearer\s+)[^\s"',]+/gi,
  // Members and parameters that hold a secret, in JSON, in a query, in a header.
  /(\b(?:signature|listenKey|secret|secret_key|secretKey|password|token|nonce|x-mbx-apikey|api_?key|idempotency-key)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
  // A token that a login gives.
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  // A listen key in the path of a socket.
  /(\/ws\/)[A-Za-z0-9]{32,}/g,
];

/** Longer than every id, symbol and number in an address. */
const longValue = /[\w.-]{40,}/g;

/** Removes the secrets that the text itself shows by form or name. */
export function redactText(text: string): string {
  return patterns.reduce((left, pattern) => left.replace(pattern, `$1${redacted}`), text);
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
