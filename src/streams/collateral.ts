// The one asset that everything is paid in, as records call it, and when a contract without a
// delivery ends.

export const collateral = 'USDT';

/** The date of a delivery that nobody has scheduled. */
export const farFuture = 4_133_404_800_000;
