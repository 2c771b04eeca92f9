// The market maker's connection to the exchange: the typed client with one API key. This file
// bounds the time of an answer, and reads the exchange's count of the key's use.

import type { Client } from '../client/client.ts';
import { type ClientOptions, createClient } from '../client/createClient.ts';

/** The counts in an answer to this key; undefined when the answer has none. */
export type KeyCounts = {
  readonly status: number;
  readonly weightPerMinute: number | undefined;
  readonly ordersPer10s: number | undefined;
  readonly ordersPerMinute: number | undefined;
};

export type MakerClient = Pick<Client, 'fapi' | 'native'> & {
  /** Sets the one listener for the counts of every answer to a request with the key. */
  readonly onCounts: (listener: (counts: KeyCounts) => void) => void;
};

export type MakerClientOptions = Required<Pick<ClientOptions, 'apiKey' | 'secretKey' | 'clock'>> &
  Pick<ClientOptions, 'baseUrl' | 'fetch'>;

const timeoutMs = 5000;

/**
 * A call also rejects when no answer came. It is then unknown whether the exchange carried it out.
 */
export function createMakerClient(options: MakerClientOptions): MakerClient {
  const { fetch: send = fetch } = options;
  let heard = (_: KeyCounts): void => {};
  const counting: typeof fetch = async (url, init) => {
    const response = await send(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    // Public requests count for the address and not for the key.
    if (new Headers(init?.headers).has('x-mbx-apikey')) heard(countsOf(response));
    return response;
  };
  const { fapi, native } = createClient({ ...options, fetch: counting });
  return {
    fapi,
    native,
    onCounts: (listener) => {
      heard = listener;
    },
  };
}

function countsOf({ status, headers }: Response): KeyCounts {
  const count = (name: string): number | undefined => {
    const text = headers.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  return {
    status,
    weightPerMinute: count('x-mbx-used-weight-1m'),
    ordersPer10s: count('x-mbx-order-count-10s'),
    ordersPerMinute: count('x-mbx-order-count-1m'),
  };
}
