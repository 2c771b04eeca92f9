// Takes secrets out of what is written for people. The messages are made without any; this is the
// wall behind them, for what a library puts into an error and for what a client puts into an
// address. Known secrets go wherever they stand, others where their form or their name gives them
// away.

export const redacted = '[secret]';

/** Shorter texts are no secrets, and would be found inside words. */
const secretLengthMin = 8;

/** What is left of each pattern stands in its first group. */
const patterns: readonly RegExp[] = [
  // The password of a URL, as databases have it.
  /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s@]+(?=@)/gi,
  /(\bBearer\s+)[^\s"',]+/gi,
  // Members and parameters that hold a secret, in JSON, in a query, in a header.
  /(\b(?:signature|listenKey|secret|secret_key|secretKey|password|token|nonce|x-mbx-apikey|api_?key|idempotency-key)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
  // A token as logins give it.
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  // A listen key, where a socket's path has it.
  /(\/ws\/)[A-Za-z0-9]{32,}/g,
];

/** Longer than every id, symbol and number that an address holds. */
const longValue = /[\w.-]{40,}/g;

/** The text without secrets that it names itself. */
export function redactText(text: string): string {
  return patterns.reduce((left, pattern) => left.replace(pattern, `$1${redacted}`), text);
}

/** A request's path and query: besides, without anything long enough to be a key. */
export function redactTarget(target: string): string {
  return redactText(target).replace(longValue, redacted);
}

/** The text without these secrets, and without those that it names itself. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  let left = text;
  for (const secret of secrets) {
    if (secret.length >= secretLengthMin) left = left.replaceAll(secret, redacted);
  }
  return redactText(left);
}

/** A database's URL and the password in it, encoded and plain; nothing of what is no URL. */
export function secretsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  return password === '' ? [] : [text, password, decodeURIComponent(password)];
}
