// Messages of the views of depth and funding, loaded with them.

import { translated } from '../messages/language.ts';

export const chartViewMessages = translated('chartView', {
  depthPicture: (symbol: string) => `Depth of the book of ${symbol}`,
  fundingPicture: (symbol: string) => `Funding of ${symbol}`,
  fundingLoading: 'Reading funding…',
  noFunding: 'No funding was settled yet.',
  fundingRate: 'Settled funding rate',
});
