// The weight of a request in the limit of its client's address, as a worker computes it. The
// serving thread uses the functions of the rows; a worker does not have them.

import { noFields, scalarOf } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { IncomingRequest } from './incomingRequest.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import { queryFields } from './requestFields.ts';
import { headWeight } from './sizeWeight.ts';

/** A weight that is not constant depends only on whether the query names a symbol. */
export type AddressWeight = { readonly withSymbol: number; readonly without: number };

export function addressWeightOf({
  surface,
  auth,
  weight,
}: Pick<Operation, 'surface' | 'auth' | 'weight'>): AddressWeight {
  const isCountedByOne = surface === 'native' || (surface === 'fapi' && auth !== 'none');
  if (isCountedByOne) return { withSymbol: 1, without: 1 };
  if (typeof weight === 'number') return { withSymbol: weight, without: weight };
  return { withSymbol: weight(new Map([['symbol', 'BTCUSDT']])), without: weight(noFields) };
}

/**
 * The weight of one request with its size. Cost: the query is read only if the weight depends on
 * it.
 */
export function weighAtAddress(
  { withSymbol, without }: AddressWeight,
  { target, headers }: Pick<IncomingRequest, 'target' | 'headers'>,
): number {
  const size = headWeight(target, headers);
  if (withSymbol === without) return without + size;
  const fields = queryFields(parsePairs(queryOf(target)));
  const hasSymbol = !isRefusal(fields) && scalarOf(fields, 'symbol') !== undefined;
  return (hasSymbol ? withSymbol : without) + size;
}
