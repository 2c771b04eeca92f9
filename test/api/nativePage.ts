// A page that uses the native client, which browserClient.test.ts bundles: it logs in,
// places an order and reads its state. It names four of the thirty operations.

import {
  getLoginNonce,
  listNativeOrders,
  login,
  placeNativeOrder,
} from '../../src/api/native/nativeRoutes.ts';
import { createNativeClient } from '../../src/client/createNativeClient.ts';

export type Wallet = {
  readonly address: string;
  readonly sign: (challenge: {
    readonly nonce: string;
    readonly timestamp: number;
  }) => Promise<string>;
};

/**
 * The client order ids of the orders that then rest; uses the platform's own fetch at `baseUrl`.
 */
export async function tradeOnce(baseUrl: string, { address, sign }: Wallet): Promise<string[]> {
  const open = createNativeClient({ getLoginNonce, login }, { baseUrl });
  const { nonce, timestamp } = await open.getLoginNonce({ address });
  const signature = await sign({ nonce, timestamp });
  const { token } = await open.login({ address, nonce, timestamp, signature });
  const own = createNativeClient({ placeNativeOrder, listNativeOrders }, { baseUrl, token });
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01' } as const;
  await own.placeNativeOrder({ ...order, price: '49000', client_order_id: 'page' });
  return (await own.listNativeOrders()).map(({ client_order_id }) => client_order_id);
}
