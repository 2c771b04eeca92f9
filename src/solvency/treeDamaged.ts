// A file that is no tree or no proof, or not the one that it says; and its members, which have
// their form or are damaged.

export class TreeDamaged extends Error {
  override name = 'TreeDamaged';
}

export type Found = Readonly<Record<string, unknown>>;

/** A safe integer of at least zero. */
export function countIn(found: Found, name: string): number {
  const value = found[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new TreeDamaged(`"${name}" is no number`);
}

export function textIn(found: Found, name: string, form: RegExp): string {
  const value = found[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new TreeDamaged(`"${name}" does not have its form`);
}
