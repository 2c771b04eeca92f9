// Makes all documents of the operations table before clients are served (CON-4), so that they take
// no time of the trading thread later.

import type { Context } from '../api/deployment.ts';
import { noFields } from '../api/fields.ts';
import { isAnswer, type Operation } from '../api/operation.ts';
import type { OrderId, Time } from '../units/units.ts';
import type { Gateway } from './gateway.ts';
import { prepareDocument } from './preparedDocument.ts';

/** Resolves when all documents are compressed. */
export async function prepareDocuments(
  { deployment, clock }: Pick<Gateway, 'deployment' | 'clock'>,
  rows: readonly Operation[],
): Promise<void> {
  const context: Context = {
    deployment,
    account: undefined,
    apiKey: undefined,
    session: 0 as OrderId,
    loggedInAt: 0 as Time,
    userAgent: '',
    address: '',
    client: '',
    now: clock.now() as Time,
    idempotencyKey: '',
    idempotencyRequest: '',
    fields: noFields,
  };
  const preparing = rows.map(async (row) => {
    if (row.document !== true || row.does !== 'query') return;
    const answer = row.query(context, {});
    if (isAnswer(answer)) await prepareDocument(answer);
  });
  await Promise.all(preparing);
}
