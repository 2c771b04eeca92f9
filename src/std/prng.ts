// A small seeded generator (xorshift32) for tests, simulations and the simulated index feed. Never
// use it for secrets.

export type Prng = {
  /** A whole number in [0, bound); bound at most 2^31. */
  readonly below: (bound: number) => number;
  /** A number in [0, 1). */
  readonly unit: () => number;
};

/** A generator whose sequence depends on `seed` alone. */
export function createPrng(seed: number): Prng {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 8; i += 1) next();
  return {
    below: (bound) => Math.floor((next() / 4294967296) * bound),
    unit: () => next() / 4294967296,
  };
}

/**
 * The seed of a part, a function of `seed` and the part's name: parts with different names have
 * different sequences (FNV-1a).
 */
export function seedOf(seed: number, name: string): number {
  let mixed = seed | 0;
  for (const character of name) mixed = Math.imul(mixed ^ character.charCodeAt(0), 16_777_619);
  return mixed;
}
