// What a request counts in the limit of its client's address, as far as a worker must know it: the
// serving thread weighs by the rows themselves, and a worker has no functions of rows.

import { noFields, scalarOf } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Arrival } from './arrival.ts';
import { parsePairs, queryOf } from './parsePairs.ts';
import { queryFields } from './requestFields.ts';
import { headWeight } from './sizeWeight.ts';

/** A weight that is no constant is one of whether the query names a symbol. */
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

/** Of one request, with what its size adds. Cost: the query is read only where it matters. */
export function weighAtAddress(
  { withSymbol, without }: AddressWeight,
  { target, headers }: Pick<Arrival, 'target' | 'headers'>,
): number {
  const size = headWeight(target, headers);
  if (withSymbol === without) return without + size;
  const fields = queryFields(parsePairs(queryOf(target)));
  const hasSymbol = !isRefusal(fields) && scalarOf(fields, 'symbol') !== undefined;
  return (hasSymbol ? withSymbol : without) + size;
}
