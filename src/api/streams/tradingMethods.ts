// The requests of the WebSocket trading API and their answers (WS-6; conventions, 14), by method.
// They are made from the rows that serve them.

import { type TSchema, Type } from 'typebox';
import {
  cancelOnDisconnectAnswer,
  cancelOnDisconnectParameters,
} from '../fapi/cancelOnDisconnect.ts';
import { type SessionMethod, sessionMethods, socketMethods } from '../fapi/socketMethods.ts';
import type { Operation } from '../operation.ts';
import { failureSchema } from '../orderRecord.ts';
import { closedObject } from './closedObject.ts';

const text = Type.String();
const time = Type.Integer({ description: 'Milliseconds.' });
const id = Type.Union([Type.Integer(), text, Type.Null()]);

const rateLimits = Type.Optional(
  Type.Array(
    closedObject({
      rateLimitType: Type.Enum(['REQUEST_WEIGHT', 'ORDERS']),
      interval: Type.Enum(['MINUTE', 'SECOND']),
      intervalNum: Type.Integer(),
      limit: Type.Integer(),
      count: Type.Integer(),
    }),
    { description: 'Left out with returnRateLimits=false.' },
  ),
);

/** What every request may carry besides its own parameters. */
const shown = {
  none: {},
  keyOnly: { apiKey: Type.Optional(text) },
  key: { apiKey: Type.Optional(text), timestamp: time, signature: Type.Optional(text) },
} as const;

function requestSchema(
  method: string,
  auth: keyof typeof shown,
  own: TSchema | undefined,
): TSchema {
  const properties = (own as { properties?: Record<string, TSchema> } | undefined)?.properties;
  const required = (own as { required?: string[] } | undefined)?.required ?? [];
  const params = Object.entries(properties ?? {}).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : Type.Optional(schema),
  ]);
  return closedObject({
    id: Type.Optional(id),
    method: Type.Literal(method),
    idempotencyKey: Type.Optional(text),
    params: Type.Optional(
      Type.Object({
        ...Object.fromEntries(params),
        ...shown[auth],
        returnRateLimits: Type.Optional(Type.Boolean()),
      }),
    ),
  });
}

const answerSchema = (result: TSchema): TSchema =>
  closedObject({ id, status: Type.Literal(200), result, rateLimits });

/** The error answer, the same for all methods. */
export const tradingError = closedObject({
  id,
  status: Type.Integer({ minimum: 400 }),
  error: failureSchema,
  rateLimits,
});

export type TradingMethod = {
  readonly method: string;
  readonly summary: string;
  readonly request: TSchema;
  readonly answer: TSchema;
};

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const session = closedObject({
  apiKey: orNull(text),
  authorizedSince: orNull(time),
  connectedSince: time,
  returnRateLimits: Type.Boolean(),
  serverTime: time,
});

function methodOf([method, row]: [string, Operation]): TradingMethod {
  const { auth, summary, parameters, response } = row;
  return {
    method,
    summary,
    request: requestSchema(
      method,
      auth === 'none' || auth === 'keyOnly' ? auth : 'key',
      parameters,
    ),
    answer: answerSchema(response),
  };
}

function sessionMethodOf(method: SessionMethod): TradingMethod {
  if (method === 'session.cancelOnDisconnect') {
    return {
      method,
      summary: 'Cancels the orders of the account when this socket ends (COD-1).',
      request: requestSchema(method, 'key', cancelOnDisconnectParameters),
      answer: answerSchema(cancelOnDisconnectAnswer),
    };
  }
  return {
    method,
    summary: 'The session of this socket.',
    request: requestSchema(method, method === 'session.logon' ? 'key' : 'none', undefined),
    answer: answerSchema(session),
  };
}

export const tradingMethods: readonly TradingMethod[] = [
  ...Object.entries(socketMethods).map(methodOf),
  ...sessionMethods.map(sessionMethodOf),
];
