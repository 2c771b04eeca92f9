// Keys of requests that must not take effect twice (ID-3). A request whose answer was lost may have
// taken effect. Until its fate is known, the same request goes out with the same key, so that it
// gets the result of the first one.

import { ApiError } from '../../client/apiError.ts';

export type RequestKeys = {
  /**
   * Sends the request with its key; `send` rejects like the requests of the page. It learns whether
   * the key has gone out before: the answer may then be older than the request.
   */
  readonly sendOnce: <Answer>(
    request: object,
    send: (signing: { readonly idempotencyKey: string }, isAgain: boolean) => Promise<Answer>,
  ) => Promise<Answer>;
};

export type RequestKeysOptions = {
  readonly fillRandom: (bytes: Uint8Array<ArrayBuffer>) => unknown;
  /** Of the login; undefined without one. */
  readonly address: () => string | undefined;
};

const keyBytes = 16;

export function createRequestKeys({ fillRandom, address }: RequestKeysOptions): RequestKeys {
  /** The keys of requests without a known fate, by account and request. */
  const open = new Map<string, string>();
  const newKey = (): string => {
    const bytes = new Uint8Array(keyBytes);
    fillRandom(bytes);
    return Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');
  };
  return {
    sendOnce: async (request, send) => {
      const name = `${address()} ${JSON.stringify(request)}`;
      const known = open.get(name);
      const idempotencyKey = known ?? newKey();
      // While it is on its way an equal request is another one: somebody may want two of them.
      open.delete(name);
      try {
        return await send({ idempotencyKey }, known !== undefined);
      } catch (error) {
        if (!hasKnownFate(error)) open.set(name, idempotencyKey);
        throw error;
      }
    },
  };
}

/** The exchange has refused it, so nothing happened; a fault of the exchange says less. */
function hasKnownFate(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
