// How scenarios begin that need nothing of their own: terms of a market without fees, and markets
// with traders and prices.

export const free = 'makerFee 0 takerFee 0';

/** Nor funding: the rate is 0 whatever is open. */
export const freeOfFunding = `${free} fundingFactor 0`;

export const hourly = `${free} fundingIntervalHours 1`;

export const threeTraders = `
  market BTCUSDT
  credit anna 10000
  credit ben 10000
  credit cleo 10000
  index 60000
`;

export const twoMarkets = `
  market BTCUSDT
  market ETHUSDT
  credit anna 10000
  credit ben 10000
  index 60000
  index ETHUSDT 3000
`;

/** Ben sells to whatever anna's orders and triggers need. */
export const richTwoMarkets = `
  market BTCUSDT
  market ETHUSDT
  credit anna 100000
  credit ben 1000000
  index 60000
  index ETHUSDT 3000
`;
