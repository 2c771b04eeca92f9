// A session as the wire shows it (AUTH-11): one login of the account that has neither ended nor
// expired.

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { type Account, sessionsOf } from '../../engine/views/account.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  exactObject,
  idText,
  namedAnswerSchema,
  orNull,
  plainText,
  timeNumber,
} from '../answerSchema.ts';
import type { Context } from '../deployment.ts';

export const sessionSchema = namedAnswerSchema(
  'Session',
  exactObject({
    id: idText(),
    created_at: timeNumber(),
    expires_at: timeNumber(),
    last_used_at: orNull(timeNumber(), 'As this process remembers it; null: not since its start.'),
    address: plainText('The network address of the login.'),
    user_agent: plainText(
      'Its client: browser, main version and system, or the name of a program.',
    ),
    current: Type.Boolean({ description: 'Whether it is that of this request.' }),
  }),
);

/** Newest first. */
export function sessionRecords(context: Context, account: Account): Static<typeof sessionSchema>[] {
  const { deployment, now, session: current } = context;
  const open = sessionsOf(account).filter(({ expiresAt }) => expiresAt > now);
  return open.toReversed().map(({ id, createdAt, expiresAt, client, agent }) => ({
    id: formatUuid(createdAt, id),
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: deployment.sessionUsedAt(id) ?? null,
    address: client,
    user_agent: agent,
    current: id === current,
  }));
}
