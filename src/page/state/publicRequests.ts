// Public data that only FAPI has: candles of mark and index, and settled funding.

import type { Route } from '../../api/operation.ts';
import type { Client } from '../../client/client.ts';
import { createCalls } from '../../client/createCalls.ts';

const publicRoutes = {
  getMarkPriceKlines: { method: 'GET', path: '/fapi/v1/markPriceKlines', auth: 'none' },
  getIndexPriceKlines: { method: 'GET', path: '/fapi/v1/indexPriceKlines', auth: 'none' },
  getFundingRate: { method: 'GET', path: '/fapi/v1/fundingRate', auth: 'none' },
} as const satisfies Readonly<Record<string, Route>>;

export type PublicRequests = Pick<Client['fapi'], keyof typeof publicRoutes>;

type PublicRequestsOptions = { readonly baseUrl: string; readonly fetch: typeof fetch };

/** Every call rejects with an ApiError unless the answer is a success. */
export function createPublicRequests(options: PublicRequestsOptions): PublicRequests {
  // The types are made from the rows of these names.
  return createCalls(publicRoutes, options) as unknown as PublicRequests;
}
