// The sessions of an account (AUTH-11): listed, and ended one by one, all others, or this one.

import { Type } from 'typebox';
import type { EndSessions } from '../../engine/command.ts';
import { sessionsOf } from '../../engine/views/account.ts';
import type { OrderId } from '../../units/units.ts';
import type { Context } from '../deployment.ts';
import { commandRejections } from '../errors/commandRejections.ts';
import {
  type Answered,
  answerJson,
  callerOf,
  defineCommand,
  defineQuery,
  type Intent,
} from '../operation.ts';
import { orderIdParameter } from '../parameterSchema.ts';
import { cancelledAnswer, cancelledSchema } from './cancelledAnswer.ts';
import * as routes from './nativeRoutes.ts';
import { sessionRecords, sessionSchema } from './sessionRecord.ts';

const common = { surface: 'native', weight: 1 } as const;

const listSessions = defineQuery({
  ...routes.listSessions,
  ...common,
  name: 'listSessions',
  summary: 'The logins whose tokens give access, newest first.',
  parameters: Type.Object({}),
  response: Type.Array(sessionSchema),
  query: (context) => answerJson(sessionRecords(context, callerOf(context))),
});

const ended: (outcome: Parameters<Intent['answer']>[0]) => Answered = (outcome) =>
  outcome.kind === 'rejected' ? outcome.rejection : { status: 204, text: '' };

const endSession = defineCommand({
  ...routes.endSession,
  ...common,
  name: 'endSession',
  summary: 'Ends a session: its token gives no access any more; 204 without content.',
  parameters: Type.Object({ id: orderIdParameter() }),
  failures: commandRejections.endSessions,
  response: Type.Null(),
  command: (context, { id: session }) => ({
    command: ending(context, { session, kept: 0 as OrderId }),
    lane: 'reserve',
    answer: ended,
  }),
});

const endOtherSessions = defineCommand({
  ...routes.endOtherSessions,
  ...common,
  name: 'endOtherSessions',
  summary: 'Ends every session but that of this request.',
  parameters: Type.Object({}),
  response: cancelledSchema,
  command: (context) => ({
    command: ending(context, { session: undefined, kept: context.session }),
    lane: 'reserve',
    answer: cancelledAnswer,
  }),
});

const logout = defineCommand({
  ...routes.logout,
  ...common,
  name: 'logout',
  summary: 'Ends the session of this request; 204 without content.',
  parameters: Type.Object({}),
  failures: commandRejections.endSessions,
  response: Type.Null(),
  command: (context) => {
    const own = sessionsOf(callerOf(context)).find(({ id }) => id === context.session);
    // A token from before there were sessions lives until it expires.
    if (own === undefined) return { reason: 'sessionUnknown' };
    const session = { id: own.id, createdAt: own.createdAt };
    return {
      command: ending(context, { session, kept: 0 as OrderId }),
      lane: 'reserve',
      answer: ended,
    };
  },
});

function ending(
  context: Context,
  { session, kept }: Pick<EndSessions, 'session' | 'kept'>,
): EndSessions {
  return { kind: 'endSessions', account: callerOf(context).id, session, kept };
}

export const sessionRows = { listSessions, endSession, endOtherSessions, logout } as const;
