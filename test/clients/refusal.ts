// The refusal of a stock client's call, and the error that the client must make of it.

import type { binanceusdm } from 'ccxt';
import { expect } from 'vitest';

export type Refused = Error & { readonly code?: number };

/** A refusal as ccxt reports it. */
export type CcxtRefusal = {
  readonly code: number;
  /** The class of its error. */
  readonly kind: new (
    ...args: never[]
  ) => Error;
};

/** The refusal of the call; fails when it was not refused. */
export async function refusal(call: Promise<unknown>): Promise<Refused> {
  const answer = await call.then(
    (given) => ({ given }),
    (error: Refused) => error,
  );
  if ('given' in answer) throw new Error(`not refused: ${JSON.stringify(answer.given)}`);
  return answer;
}

/** The call's error is of this class, and this code came over the wire. */
export async function expectCcxt(
  client: binanceusdm,
  call: Promise<unknown>,
  { code, kind }: CcxtRefusal,
): Promise<void> {
  const error = await refusal(call);
  expect(error.constructor.name, error.message).toBe(kind.name);
  expect(JSON.parse(client.last_http_response!).code).toBe(code);
}
