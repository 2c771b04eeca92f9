// Decimals of the wire as whole numbers of 1e-12: sums and products of them are exact.

const places = 12;
const one = 10n ** BigInt(places);
const pattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A plain decimal text of at most twelve places; throws at anything else. */
export function exact(text: string): bigint {
  const match = pattern.exec(text);
  const fraction = match?.[3] ?? '';
  if (match === null || fraction.length > places) throw new Error(`"${text}" is no exact decimal`);
  const digits = BigInt(match[2] + fraction.padEnd(places, '0'));
  return match[1] === '-' ? -digits : digits;
}

/** The product of two such numbers; throws when it is not exact. */
export function times(a: bigint, b: bigint): bigint {
  if ((a * b) % one !== 0n) throw new Error('a product of more than twelve places');
  return (a * b) / one;
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

/** The fee on this notional: up to a whole 1e-6 (UNIT-3). */
export function feeOf(notional: bigint, rate: string): bigint {
  const grain = 10n ** BigInt(places - 6);
  const fee = times(notional, exact(rate));
  const remainder = fee % grain;
  return remainder === 0n ? fee : fee - remainder + grain;
}
