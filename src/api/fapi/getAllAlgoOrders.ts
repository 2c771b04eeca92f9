// GET /fapi/v1/allAlgoOrders (conventions, 9.5): triggers of all states on a symbol, ascending by
// time; those that have ended, while the view of ended triggers remembers them.

import { type Static, Type } from 'typebox';
import type { Trigger } from '../../engine/trigger.ts';
import type { Context, RowWindow } from '../deployment.ts';
import { callerOf, defineQuery } from '../operation.ts';
import { optional, orderIdParameter, symbolParameter } from '../parameterSchema.ts';
import { algoListText, algoRecordSchema } from './algoRecord.ts';
import { algoWindowMs, windowTooWide } from './algoWindow.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 500, most: 1000 };

const parameters = Type.Object({
  symbol: symbolParameter(),
  algoId: optional(orderIdParameter({ description: 'This one and those after it.' })),
  ...timeParameters,
  limit: limitParameter(bounds.normal, bounds.most),
});

type Parameters = Static<typeof parameters>;

export const getAllAlgoOrders = defineQuery({
  name: 'getAllAlgoOrders',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/allAlgoOrders',
  auth: 'key',
  weight: 1,
  summary: 'Triggers of both routes, whatever their state; of the last seven days unless asked.',
  parameters,
  response: Type.Array(algoRecordSchema),
  query: (context, sent) => {
    const refusal = windowTooWide(sent);
    if (refusal !== undefined) return refusal;
    return { status: 200, text: algoListText(context.deployment, triggersOf(context, sent)) };
  },
});

/** Those that wait or whose order lives, and the ended ones, cut at the limit together. */
function triggersOf(context: Context, sent: Parameters): readonly Readonly<Trigger>[] {
  const { symbol, algoId } = sent;
  const account = callerOf(context);
  const window: RowWindow = { ...windowOf(sent, bounds), from: algoId };
  const { earliest, latest } = reachOf(sent, context.now);
  const asked = ({ market, createdAt, id }: Readonly<Trigger>): boolean =>
    market === symbol.id &&
    createdAt >= earliest &&
    createdAt <= latest &&
    (algoId === undefined ||
      createdAt > algoId.createdAt ||
      (createdAt === algoId.createdAt && id >= algoId.id));
  const ended = context.deployment.endedTriggersOf(account.id, { ...window, endTime: latest });
  const rows = [...ended, ...account.triggers].filter(asked).sort(byCreation);
  const forward = sent.startTime !== undefined || algoId !== undefined;
  return forward ? rows.slice(0, window.limit) : rows.slice(-window.limit);
}

/**
 * What the query looks back on: seven days from its one bound, else up to now. From an id on it
 * looks at whatever comes after (as with orders).
 */
function reachOf(
  { startTime, endTime, algoId }: Parameters,
  now: number,
): { readonly earliest: number; readonly latest: number } {
  const none = Number.MAX_SAFE_INTEGER;
  if (algoId !== undefined) return { earliest: startTime ?? 0, latest: endTime ?? none };
  if (startTime !== undefined) {
    return { earliest: startTime, latest: endTime ?? startTime + algoWindowMs };
  }
  return { earliest: (endTime ?? now) - algoWindowMs, latest: endTime ?? none };
}

function byCreation(a: Readonly<Trigger>, b: Readonly<Trigger>): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}
