// A member of a market's record that there is not. Passed over, a misspelt bound would leave the
// market with another one than its operator believes.

import type { Fields } from '../fields.ts';
import type { Refusal } from '../refusal.ts';
import { marketRecordSchema } from './marketRecord.ts';

/** Members that are only shown are no mistake: a record may be sent back as it was read. */
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
