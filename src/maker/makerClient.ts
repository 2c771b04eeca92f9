// The market maker's way to the exchange: signed requests over HTTP, like any client's. What the
// answers mean stands in makerRecords.ts and marketMaker.ts.

import { createHmac } from 'node:crypto';
import type { Clock } from '../std/clock.ts';

export type MakerMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type MakerAnswer = {
  readonly status: number;
  /** The JSON of the answer; undefined when it was none. */
  readonly body: unknown;
  /** The exchange's counts of this key, where the answer states them. */
  readonly weightPerMinute: number | undefined;
  readonly ordersPer10s: number | undefined;
  readonly ordersPerMinute: number | undefined;
};

/**
 * Sends one request. GET and DELETE carry `parameters` in the query, POST and PUT as a JSON body.
 * Rejects when no answer came: whether it was carried out is then unknown.
 */
export type MakerClient = (
  method: MakerMethod,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<MakerAnswer>;

export type MakerClientOptions = {
  /** Scheme, host and port, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly clock: Clock;
};

const timeoutMs = 5000;

/** A client that signs every request, the public ones too: they ignore it. */
export function createMakerClient(options: MakerClientOptions): MakerClient {
  return async (method, path, parameters) => {
    const inBody = method === 'POST' || method === 'PUT';
    const query = inBody ? '' : queryOf(parameters);
    const body = inBody ? JSON.stringify(parameters) : '';
    const timestamp = `timestamp=${Math.floor(options.clock.now())}`;
    const signed = query === '' ? timestamp : `${query}&${timestamp}`;
    const signature = createHmac('sha256', options.secret)
      .update(signed + body)
      .digest('hex');
    const response = await fetch(`${options.baseUrl}${path}?${signed}&signature=${signature}`, {
      method,
      headers: {
        'X-MBX-APIKEY': options.apiKey,
        ...(inBody ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(inBody ? { body } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const count = (name: string): number | undefined => countOf(response.headers.get(name));
    return {
      status: response.status,
      body: jsonOf(await response.text()),
      weightPerMinute: count('x-mbx-used-weight-1m'),
      ordersPer10s: count('x-mbx-order-count-10s'),
      ordersPerMinute: count('x-mbx-order-count-1m'),
    };
  };
}

function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
  });
  return pairs.join('&');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
