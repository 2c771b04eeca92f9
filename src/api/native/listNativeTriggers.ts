// GET /api/v1/triggers?symbol=&status= (NAT-5): triggers of the caller, of both routes. The engine
// gives all that wait, history gives those of another status, in a window.

import { Type } from 'typebox';
import { triggerStatuses } from '../../engine/triggerTypes.ts';
import { openTriggersOf } from '../../engine/views/trigger.ts';
import { scalarOf } from '../fields.ts';
import { hasFailed } from '../historyPort.ts';
import { callerOf, defineProcedure } from '../operation.ts';
import { choiceParameter, optional, symbolParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';
import { nativeTriggerList, nativeTriggerSchema } from './nativeTrigger.ts';
import { nativeWindow, nativeWindowParameters } from './nativeWindow.ts';

export const listNativeTriggers = defineProcedure({
  ...routes.listNativeTriggers,
  name: 'listNativeTriggers',
  surface: 'native',
  weight: (query) => ((scalarOf(query, 'status') ?? 'NEW') === 'NEW' ? 1 : 3),
  summary: 'Waiting triggers, oldest first; with another status the latest of those, unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    status: optional(choiceParameter(triggerStatuses)),
    ...nativeWindowParameters,
  }),
  failures: ['databaseFailed'],
  response: Type.Array(nativeTriggerSchema),
  procedure: async (context, { status = 'NEW', ...sent }) => {
    const { deployment } = context;
    const account = callerOf(context);
    if (status === 'NEW') {
      const waiting = openTriggersOf(account, sent.symbol?.id);
      // A waiting trigger has no order yet.
      const rows = waiting.map((trigger) => ({ ...trigger, derived: null }));
      return nativeTriggerList(deployment, rows);
    }
    const asked = { ...nativeWindow(sent), account: account.id, status };
    const rows = await deployment.history.triggers(asked);
    return hasFailed(rows) ? rows : nativeTriggerList(deployment, rows);
  },
});
