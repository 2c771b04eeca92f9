// How often something may happen (WS-5): a counter that each use lowers and that refills at a
// steady rate.

export type Allowance = {
  readonly max: number;
  readonly perSecond: number;
  left: number;
  at: number;
};

export function createAllowance(
  { max, perSecond }: Pick<Allowance, 'max' | 'perSecond'>,
  now: number,
): Allowance {
  return { max, perSecond, left: max, at: now };
}

/** Takes that many; false, and takes none, when fewer are left. */
export function takeAllowance(allowance: Allowance, now: number, amount = 1): boolean {
  const { max, perSecond, left, at } = allowance;
  // A clock that steps back refills nothing.
  const filled = (Math.max(0, now - at) * perSecond) / 1000;
  allowance.left = Math.min(max, left + filled);
  allowance.at = now;
  if (allowance.left < amount) return false;
  allowance.left -= amount;
  return true;
}
