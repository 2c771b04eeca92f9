// Finds an unknown member in a market's record. If the exchange ignored a misspelt bound, the
// market would have another bound than its operator believes.

import type { Fields } from '../fields.ts';
import type { Refusal } from '../refusal.ts';
import { marketRecordSchema } from './marketRecord.ts';

/** Members that are only shown are allowed: the operator may send a record back as it was read. */
const known: ReadonlySet<string> = new Set([
  ...Object.keys(marketRecordSchema.properties),
  'expected_index_sources',
  'expected_mark_clamp',
  'expected_status',
]);

/** undefined when the record has every one of the fields. */
export function unknownMember(fields: Fields): Refusal | undefined {
  for (const name of fields.keys()) {
    if (!known.has(name)) return { reason: 'parameterNotAllowed', name };
  }
  return undefined;
}
