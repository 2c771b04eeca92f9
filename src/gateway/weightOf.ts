// What a request weighs, as its row says (AUTH-7).

import { type Fields, noFields } from '../api/fields.ts';
import type { Operation } from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';

/**
 * The weight of a row. `read` gives the fields of the query, and is called only when the weight
 * depends on them; a refused query weighs as an empty one.
 */
export function weightOf({ weight }: Operation, read: () => Fields | Refusal): number {
  if (typeof weight === 'number') return weight;
  const fields = read();
  return weight(isRefusal(fields) ? noFields : fields);
}
