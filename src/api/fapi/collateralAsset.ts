// Constants that are in every record (conventions, 1.2): the deployment settles in one asset.

export const collateralAsset = 'USDT';

/** The delivery date of a market without one: the convention's constant. */
export const farFuture = 4_133_404_800_000;
