// What a person should do about an error that ends the program. It covers errors whose message
// comes from the machine or from the log and says only what is wrong.

const permissions =
  'The user that runs this must own the data directory and may read and write all of it: see ' +
  '"The data directory" in docs/runbook.md.';
const room =
  'The disk is full. Nothing that was acknowledged is lost: make room, then start again.';
const damage =
  'Nothing was changed. Delete and edit nothing: copy the directory, then see "Damage" in ' +
  'docs/runbook.md.';

/** By the codes of the system and of SQLite, and by the names of our own errors. */
const advices: ReadonlyMap<string, string> = new Map([
  ['EACCES', permissions],
  ['EPERM', permissions],
  ['EROFS', permissions],
  ['SQLITE_READONLY', permissions],
  ['SQLITE_CANTOPEN', permissions],
  ['ENOSPC', room],
  ['EDQUOT', room],
  ['SQLITE_FULL', room],
  ['LogDamaged', damage],
]);

/** A sentence that follows the message of this error; undefined when the message says enough. */
export function adviceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as NodeJS.ErrnoException;
  // An error from another thread comes as a text.
  const [reported = ''] = /\bENOSPC\b|\bEDQUOT\b/.exec(error.message) ?? [];
  // SQLITE_READONLY_DIRECTORY and the like.
  const family = code.replace(/^(SQLITE_[A-Z]+)_.*/, '$1');
  const known = [family, error.name, reported].find((word) => advices.has(word));
  return known === undefined ? adviceFor(error.cause) : advices.get(known);
}

/** The message of an error, as one or two sentences for the operator. */
export function messageWithAdvice(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceFor(error);
  if (advice === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}`;
}
