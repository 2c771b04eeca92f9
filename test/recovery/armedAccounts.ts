// Accounts that have armed a connection at one of several processes (COD-6), each with one order
// that rests.

import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { createWallet } from '../identity/wallet.ts';

export type ArmedAccount = {
  /** The status of its order, as this process shows it. */
  readonly statusAt: (at: RunningServer) => Promise<string>;
  /** The code with which its process has closed the connection; undefined: it is open. */
  readonly closedWith: () => number | undefined;
};

/** Arms a connection at the process. */
export async function openArmedAccount(
  server: RunningServer,
  number: number,
): Promise<ArmedAccount> {
  const { address, sign } = createWallet(0xa4ed + number);
  const { native } = createClient({ baseUrl: server.http });
  const { nonce, timestamp } = await native.getLoginNonce({ address });
  const signature = await sign({ chainId: 43113, address, nonce, timestamp });
  const { token } = await native.login({ address, nonce, timestamp, signature });
  await server.operator.creditAccount({ address, amount: '1000', reference: `armed ${number}` });
  const made = await createClient({ baseUrl: server.http, token }).native.createApiKey({
    label: 'armed',
  });
  const key = { apiKey: made.api_key, secretKey: made.secret_key };
  const clientAt = ({ http }: RunningServer): Client => createClient({ baseUrl: http, ...key });
  const closedWith = await arm(server, token);
  const name = { symbol: 'ETHUSDT', newClientOrderId: `armed-${number}` };
  const terms = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' };
  await clientAt(server).fapi.placeOrder({ ...name, ...terms, price: '3700' } as never);
  const asked = { symbol: name.symbol, origClientOrderId: name.newClientOrderId };
  return {
    closedWith,
    statusAt: async (at) => {
      const order = await clientAt(at).fapi.getOrder(asked as never);
      return (order as { readonly status: string }).status;
    },
  };
}

/** The connection stays until one of the two processes ends it; gives the code of that. */
async function arm({ http }: RunningServer, token: string): Promise<() => number | undefined> {
  const socket = new WebSocket(`${http.replace('http:', 'ws:')}/ws`);
  let code: number | undefined;
  socket.on('error', () => {});
  socket.on('close', (closed) => {
    code = closed;
  });
  await once(socket, 'open');
  const ask = async (message: object): Promise<unknown> => {
    const answer = once(socket, 'message');
    socket.send(JSON.stringify(message));
    return JSON.parse(String((await answer)[0]));
  };
  expect(await ask({ type: 'auth', token })).toMatchObject({ type: 'authenticated' });
  const request = { type: 'cancel_on_disconnect', enabled: true };
  expect(await ask(request)).toEqual(request);
  return () => code;
}
