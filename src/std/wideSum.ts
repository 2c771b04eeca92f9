// Sums of whole numbers that may exceed 2^53. A sum is two numbers side by side in an array: the
// part below 2^52, and how many times 2^52 was passed. Reading gives a bigint; adding costs one
// more comparison.

const carried = 2 ** 52;

/** Adds a safe integer of at least 0 to the sum at `at`. */
export function addWide(values: Float64Array, at: number, amount: number): void {
  const low = values[at]! + amount;
  if (low < carried) values[at] = low;
  else carry(values, at, amount);
}

function carry(values: Float64Array, at: number, amount: number): void {
  // In two steps, so that no step passes 2^53.
  const rest = amount >= carried ? amount - carried : amount;
  const low = values[at]! + rest;
  values[at] = low >= carried ? low - carried : low;
  values[at + 1]! += (rest === amount ? 0 : 1) + (low >= carried ? 1 : 0);
}

/** Subtracts an amount that was added. */
export function subtractWide(values: Float64Array, at: number, amount: number): void {
  const low = values[at]! - amount;
  if (low >= 0) values[at] = low;
  else borrow(values, at, amount);
}

function borrow(values: Float64Array, at: number, amount: number): void {
  const rest = amount >= carried ? amount - carried : amount;
  const low = values[at]! - rest;
  values[at] = low < 0 ? low + carried : low;
  values[at + 1]! -= (rest === amount ? 0 : 1) + (low < 0 ? 1 : 0);
}

/** Sets the sum to this value, at least 0. */
export function setWide(values: Float64Array, at: number, sum: bigint): void {
  values[at] = Number(sum % BigInt(carried));
  values[at + 1] = Number(sum / BigInt(carried));
}

export function wideSumAt(values: Float64Array, at: number): bigint {
  const low = BigInt(values[at]!);
  return values[at + 1] === 0 ? low : low + BigInt(values[at + 1]!) * BigInt(carried);
}
