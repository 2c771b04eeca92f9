// Callers of the narrow exchange who have used up their limits in this minute: an address at the
// public routes, one at the native routes, one at the signed routes, a key. They use up a limit by
// sending requests, so that nothing here depends on how the program counts.

import { createHmac } from 'node:crypto';
import type { CostStage } from './costStage.ts';
import { openWireClient } from './costWire.ts';

export const spentKinds = ['public', 'native', 'gate', 'key', 'probe'] as const;
export type SpentKind = (typeof spentKinds)[number];

/** For each kind: the address that is used up, and others that must count as the same client. */
const addresses: Readonly<Record<SpentKind, string>> = {
  public: '198.18.7.1',
  native: '198.18.7.2',
  gate: '198.18.7.3',
  key: '198.18.7.4',
  probe: '198.18.7.5',
};
/** One subscriber of IPv6 has all of these addresses. */
const sharedNetwork = '2001:db8:7:7::';

export type Spenders = {
  /**
   * The header of a caller who is over the limit now; uses up the limit first when a new minute
   * began.
   */
  readonly spend: (kind: SpentKind) => Promise<string>;
  /** Signed parameters of the key, for a path of the convention. */
  readonly signed: (query: string, body?: string | Buffer) => string;
  /** An address of the network of IPv6 that has used up the public routes. */
  readonly neighbour: (at: number) => Promise<string>;
};

const minuteMs = 60_000;
/** A burst must not reach into the next minute. */
const marginMs = 4000;
/** More requests than any limit allows. */
const tries = 30_000;
const atOnce = 8;

export function createSpenders({ narrow, narrowKey }: CostStage): Spenders {
  const spentAt = new Map<string, number>();
  /** Kinds without a limit: their requests are served, and reported as such. */
  const unlimited = new Set<SpentKind>();
  const signed = (query: string, body: string | Buffer = ''): string => {
    const text = `${query === '' ? '' : `${query}&`}timestamp=${Date.now()}`;
    const hmac = createHmac('sha256', narrowKey.secretKey).update(text).update(body);
    return `${text}&signature=${hmac.digest('hex')}`;
  };
  const requestOf: Readonly<Record<SpentKind, () => string>> = {
    public: () => 'GET /fapi/v1/ticker/24hr?symbol=BTCUSDT',
    native: () => 'GET /api/v1/nothing',
    gate: () => 'GET /fapi/v1/order',
    probe: () => 'GET /health',
    key: () => `GET /fapi/v1/openOrders?${signed('')}`,
  };
  const spendAt = async (kind: SpentKind, address: string): Promise<string> => {
    const left = minuteMs - (Date.now() % minuteMs);
    if (left < marginMs) await new Promise((resolve) => setTimeout(resolve, left + 20));
    const minute = Math.floor(Date.now() / minuteMs);
    const key = kind === 'key' ? `X-MBX-APIKEY: ${narrowKey.apiKey}\r\n` : '';
    const headers = `X-Forwarded-For: ${address}\r\n${key}`;
    if (spentAt.get(address) === minute || unlimited.has(kind)) return headers;
    const client = openWireClient(narrow.port);
    try {
      for (let asked = 0; asked < tries; asked += atOnce) {
        const request = Buffer.from(`${requestOf[kind]()} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
        const together = Buffer.concat(Array.from({ length: atOnce }, () => request));
        const answers = await client.ask(together, atOnce);
        if (answers.at(-1)?.status === 429) {
          spentAt.set(address, minute);
          return headers;
        }
      }
    } finally {
      client.close();
    }
    unlimited.add(kind);
    throw new Error(`${tries} requests of one caller are within the limit "${kind}"`);
  };
  return {
    spend: (kind) => spendAt(kind, addresses[kind]),
    signed,
    neighbour: async (at) => {
      await spendAt('public', `${sharedNetwork}1`);
      return `X-Forwarded-For: ${sharedNetwork}${(2 + (at % 60_000)).toString(16)}\r\n`;
    },
  };
}
