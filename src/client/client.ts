// The type of the client: one function for every row of the operations table. The row's schemas
// give the types of its parameters and its result.

import type { Static, TObject, TSchema } from 'typebox';
import type { fapiOperations } from '../api/fapi/fapiOperations.ts';
import type { Value } from '../api/fields.ts';
import type { nativeOperations, operatorOperations, probeOperations } from '../api/operations.ts';
import type { orderIdParameter, symbolParameter } from '../api/parameterSchema.ts';
import type { CallOptions } from './rowRequest.ts';

type Market = Static<ReturnType<typeof symbolParameter>>;
type OrderById = Static<ReturnType<typeof orderIdParameter>>;

/** What a client sends for a parameter of type T: symbols and ids are texts on the wire. */
type Sent<T> = T extends Market
  ? string
  : T extends OrderById
    ? string
    : T extends readonly Value[]
      ? readonly unknown[]
      : T extends number
        ? number | string
        : T;

/** JSON's null is sent when the body is JSON, and left out of a query. */
export type SentBy<S> = { readonly [K in keyof S]: Sent<S[K]> | null };

type Row = { readonly parameters: TObject; readonly response: TSchema };

/** Resolves with the body of a success; rejects with an ApiError for any other answer. */
export type Call<R extends Row> = (
  ...args: Record<never, never> extends SentBy<Static<R['parameters']>>
    ? [parameters?: SentBy<Static<R['parameters']>>, options?: CallOptions]
    : [parameters: SentBy<Static<R['parameters']>>, options?: CallOptions]
) => Promise<Static<R['response']>>;

export type Calls<T extends Readonly<Record<string, Row>>> = {
  readonly [K in keyof T]: Call<T[K]>;
};

export type Client = {
  readonly fapi: Calls<typeof fapiOperations>;
  readonly native: Calls<typeof nativeOperations>;
  readonly operator: Calls<typeof operatorOperations>;
  readonly probes: Calls<typeof probeOperations>;
};
