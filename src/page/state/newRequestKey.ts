// Keys of requests that must not take effect twice (ID-3).

const keyBytes = 16;

/** A key that no other request has: with it a repetition gets the result of the first one. */
export function newRequestKey(fillRandom: (bytes: Uint8Array<ArrayBuffer>) => unknown): string {
  const bytes = new Uint8Array(keyBytes);
  fillRandom(bytes);
  return Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');
}
