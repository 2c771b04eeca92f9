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

/** Anna long 0.1, the house short, before 09:00: the rate is the cap, 1 %. */
export const atFundingCap = (afterMs = 399_750): string => `
  after ${afterMs}
  market BTCUSDT ${hourly}
  credit anna 10000
  credit mm 10000
  house mm
  index 60000
  anna buy 0.1 @ 60000
  mm sell 0.1 @ 60000
`;

/**
 * Anna long 0.1 from 60000 with 400, Ben short 0.05 from 60000, Cleo short 0.05 from 57000 and
 * long 2 ETH from 3000 with 190.
 */
export const shortsOfTwoPrices = `
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  credit anna 400
  credit ben 10000
  credit cleo 190
  tick BTCUSDT=60000 ETHUSDT=3000
  anna leverage 50
  cleo leverage 50
  cleo leverage 50 ETHUSDT
  anna buy 0.1 @ 60000
  ben sell 0.1 @ 60000
  cleo buy ETHUSDT 2 @ 3000
  ben sell ETHUSDT 2 @ 3000
  index 57000
  ben buy 0.05 @ 57000
  cleo sell 0.05 @ 57000
`;

/** Gus, long so many XRP, must pay 90 of funding for each and has 45: the fund pays the rest. */
export const drained = (size: string): string => `
  market XRPUSDT ${free} fundingFactor 0.9 maxFundingRate 0.9
  credit gus 45
  credit mm 10000
  house mm
  index XRPUSDT 100
  gus leverage 50 XRPUSDT
  gus buy XRPUSDT ${size} @ 100
  mm sell XRPUSDT ${size} @ 100
  funding whole XRPUSDT
`;

/** The mean is 54050: 54000 for 98.01 s, 59000 for 0.99 s; from there Anna is long 0.1. */
export const fallenMean = (credits: string, opened = ''): string => `
  market BTCUSDT ${freeOfFunding}
  market ETHUSDT ${freeOfFunding}
  ${credits}
  after 750
  tick BTCUSDT=54000 ETHUSDT=3000
  steady 54000 for 97760
  tick BTCUSDT=59000 ETHUSDT=3000
  anna leverage 50
  anna buy 0.1 @ 59000
  ben sell 0.06 @ 59000
  dora sell 0.04 @ 59000
  ${opened}
  change status CLOSE deliveryTime 1760000100000
`;
