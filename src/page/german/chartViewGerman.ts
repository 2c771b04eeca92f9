// German of chartViewMessages.

import type { chartViewMessages } from '../chart/chartViewMessages.ts';
import type { TextsOf } from '../messages/language.ts';

export const chartViewGerman: TextsOf<typeof chartViewMessages> = {
  depthPicture: (symbol) => `Tiefe des Orderbuchs von ${symbol}`,
  fundingPicture: (symbol) => `Funding von ${symbol}`,
  fundingLoading: 'Funding wird gelesen…',
  noFunding: 'Noch kein Funding wurde abgerechnet.',
  fundingRate: 'Abgerechnete Funding-Rate',
};
