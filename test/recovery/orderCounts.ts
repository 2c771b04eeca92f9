// How many orders of one API key the processes of a deployment say that they have counted: each
// must say one more than the process that was asked before it.

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { RunningServer } from '../fixtures/startServer.ts';

export type OrderCounts = {
  /** Places an order at each of these processes in turn. */
  readonly through: (servers: readonly RunningServer[]) => Promise<void>;
};

const minuteNow = (): number => Math.floor(Date.now() / 60_000);

/** Of a new key of this client. */
export async function openOrderCounts(client: Client): Promise<OrderCounts> {
  const made = await client.native.createApiKey({ label: 'counted' });
  const { api_key: apiKey, secret_key: secretKey } = made;
  let counted = 0;
  let minute = minuteNow();
  const placeAt = async ({ http }: RunningServer): Promise<void> => {
    const query = new URLSearchParams({
      ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
      ...{ quantity: '0.001', price: '94000', timestamp: String(Date.now()) },
    }).toString();
    const signature = createHmac('sha256', secretKey).update(query).digest('hex');
    const answer = await fetch(`${http}/fapi/v1/order?${query}&signature=${signature}`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': apiKey },
    });
    expect(answer.status, await answer.text()).toBe(200);
    const shown = Number(answer.headers.get('x-mbx-order-count-1m'));
    // A minute that has just begun counts from one.
    const isNext = minuteNow() > minute && shown === 1;
    if (!isNext) expect(shown, `orders of the key at ${http}`).toBe(counted + 1);
    counted = shown;
    minute = minuteNow();
  };
  return {
    through: async (servers) => {
      for (const server of servers) await placeAt(server);
    },
  };
}
