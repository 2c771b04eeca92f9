// The one asset of all payments, under its name in records, and the delivery date of a contract
// without a delivery.

export const collateral = 'USDT';

/** The date shown when no delivery is scheduled. */
export const farFuture = 4_133_404_800_000;
