// Cancel on disconnect in the typed client of channels (COD-7): over real sockets against the real
// gateway, and over a socket that the test speaks through.

import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ApiError } from '../../src/client/apiError.ts';
import {
  createStreamClient,
  type SocketEvents,
  type StreamSocket,
} from '../../src/client/createStreamClient.ts';
import type { DisconnectAnswer, StreamFailure } from '../../src/client/streamClient.ts';
import { openWorld } from '../gateway/gatewayWorld.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const type = 'cancel_on_disconnect';

/** A client whose socket is the test. */
function openClient() {
  const said: unknown[] = [];
  const armed: DisconnectAnswer[] = [];
  const refusals: StreamFailure[] = [];
  let events: SocketEvents | undefined;
  let connections = 0;
  const client = createStreamClient({
    url: '',
    retryMs: 1,
    onArmed: (answer) => armed.push(answer),
    onError: (failure) => refusals.push(failure),
    openSocket: (_url, given) => {
      connections += 1;
      events = given;
      return { send: (text) => said.push(JSON.parse(text)), close: () => {} };
    },
  });
  closers.push(client.close);
  const tell = (message: object): void => events!.onText(JSON.stringify(message));
  return {
    client,
    armed,
    refusals,
    tell,
    /** What was said since the last look. */
    said: () => said.splice(0),
    open: () => events!.onOpen(),
    refuse: (code: string) => tell({ type: 'error', code, message: 'for a reason', request: type }),
    loseAndComeBack: async (): Promise<void> => {
      const before = connections;
      events!.onClose();
      await expect.poll(() => connections).toBe(before + 1);
      events!.onOpen();
    },
  };
}

test('COD-7 the typed client arms one request at a time, and says what was confirmed', async () => {
  const { client, said, open, tell, armed } = openClient();
  const first = client.cancelOnDisconnect({ enabled: true, symbols: ['btc-usdt'] });
  const second = client.cancelOnDisconnect({ enabled: false });
  expect(said()).toEqual([]);
  open();
  expect(said()).toEqual([{ type, enabled: true, symbols: ['btc-usdt'] }]);
  const answer = { type, enabled: true, symbols: ['BTCUSDT'] } as const;
  tell(answer);
  expect(await first).toEqual(answer);
  expect(said()).toEqual([{ type, enabled: false }]);
  tell({ type, enabled: false });
  expect(await second).toEqual({ type, enabled: false });
  expect(armed).toEqual([answer, { type, enabled: false }]);
});

test('COD-7 the typed client arms every new connection again, as it was confirmed last', async () => {
  const { client, said, open, tell, loseAndComeBack, armed } = openClient();
  open();
  void client.cancelOnDisconnect({ enabled: true });
  tell({ type, enabled: true });
  said();
  await loseAndComeBack();
  expect(said()).toEqual([{ type, enabled: true }]);
  // A choice that was made before the answer waits for it, and goes on over a further loss.
  const narrower = client.cancelOnDisconnect({ enabled: true, symbols: ['BTCUSDT'] });
  expect(said()).toEqual([]);
  tell({ type, enabled: true });
  expect(said()).toEqual([{ type, enabled: true, symbols: ['BTCUSDT'] }]);
  await loseAndComeBack();
  expect(said()).toEqual([{ type, enabled: true }]);
  tell({ type, enabled: true });
  expect(said()).toEqual([{ type, enabled: true, symbols: ['BTCUSDT'] }]);
  tell({ type, enabled: true, symbols: ['BTCUSDT'] });
  expect(await narrower).toMatchObject({ symbols: ['BTCUSDT'] });
  expect(armed.length).toBe(4);
  void client.cancelOnDisconnect({ enabled: false });
  tell({ type, enabled: false });
  said();
  await loseAndComeBack();
  expect(said()).toEqual([]);
});

test('COD-4 COD-7 what the end of a login has disarmed is armed again, as soon as that is possible', () => {
  vi.useFakeTimers();
  closers.push(vi.useRealTimers);
  const { client, said, open, tell, refuse, refusals, armed } = openClient();
  open();
  void client.cancelOnDisconnect({ enabled: true, symbols: ['BTCUSDT'] });
  const choice = { type, enabled: true, symbols: ['BTCUSDT'] };
  tell(choice);
  said();
  // No request waits for an answer: the exchange says that it has ended.
  refuse('INVALID_TOKEN');
  expect(refusals).toMatchObject([{ code: 'INVALID_TOKEN', request: type }]);
  vi.advanceTimersByTime(10_000);
  expect(said()).toEqual([choice, { type: 'ping' }]);
  refuse('INVALID_TOKEN');
  tell({ type: 'pong' });
  vi.advanceTimersByTime(10_000);
  expect(said()).toEqual([choice, { type: 'ping' }]);
  tell(choice);
  expect(armed).toEqual([choice, choice]);
  tell({ type: 'pong' });
  vi.advanceTimersByTime(10_000);
  expect(said()).toEqual([{ type: 'ping' }]);
});

test('COD-7 a refused choice rejects and leaves the last one; a refused repetition is an error', async () => {
  const { client, said, open, tell, refuse, loseAndComeBack, refusals } = openClient();
  open();
  void client.cancelOnDisconnect({ enabled: true });
  tell({ type, enabled: true });
  const wrong = client.cancelOnDisconnect({ enabled: true, symbols: ['NONE'] });
  refuse('INVALID_MARKET');
  const error = await wrong.catch((found: unknown) => found);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'INVALID_MARKET', detail: 'for a reason', status: 0 });
  expect(refusals).toEqual([]);
  said();
  await loseAndComeBack();
  expect(said()).toEqual([{ type, enabled: true }]);
  refuse('LIMIT_REACHED');
  expect(refusals).toMatchObject([{ code: 'LIMIT_REACHED', request: type }]);
  // It may be allowed for the next connection.
  await loseAndComeBack();
  expect(said()).toEqual([{ type, enabled: true }]);
});

test('COD-7 a client that is closed before the answer says so to who waits for it', async () => {
  const { client, open } = openClient();
  open();
  const asked = client.cancelOnDisconnect({ enabled: true });
  client.close();
  await expect(asked).rejects.toThrow('The client was closed');
  await expect(client.cancelOnDisconnect({ enabled: true })).rejects.toThrow(
    'The client was closed',
  );
});

test('COD-1 COD-7 orders end with the connection of the typed client, and with the next one again', async () => {
  const world = await openWorld({ gateway: { rateLimitScale: 1000 } });
  const port = await world.listen();
  const ticking = setInterval(() => {
    world.clock.advance(5);
    world.gateway.streams.tick();
  }, 5);
  closers.push(async () => {
    clearInterval(ticking);
    world.gateway.streams.close();
    await world.close();
  });
  const trader = await world.newTrader(1e6);
  const { address, account } = trader;
  let last: WebSocket | undefined;
  let armed = 0;
  const client = createStreamClient({
    url: `ws://127.0.0.1:${port}/ws`,
    retryMs: 5,
    token: async () =>
      (await world.gateway.tokens.issue({ address, account }, world.clock.now())).token,
    onArmed: () => {
      armed += 1;
    },
    openSocket: (url, { onOpen, onText, onClose }): StreamSocket => {
      const socket = new WebSocket(url);
      last = socket;
      socket.on('open', onOpen);
      socket.on('message', (data) => onText(String(data)));
      socket.on('close', onClose);
      socket.on('error', () => {});
      return { send: (text) => socket.send(text), close: () => socket.terminate() };
    },
  });
  closers.push(client.close);
  const rest = (): Promise<unknown> =>
    world.call(trader, 'POST', '/fapi/v1/order', {
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      side: 'BUY',
      price: '50000',
      quantity: '0.01',
    });
  const open = async (): Promise<number> =>
    (await world.call(trader, 'GET', '/fapi/v1/openOrders', { symbol: 'BTCUSDT' })).body.length;
  expect(await client.cancelOnDisconnect({ enabled: true, symbols: ['btcusdt'] })).toEqual({
    type,
    enabled: true,
    symbols: ['BTCUSDT'],
  });
  for (const round of [1, 2]) {
    await rest();
    expect(await open()).toBe(1);
    last!.terminate();
    await expect.poll(open).toBe(0);
    await expect.poll(() => armed).toBe(round + 1);
  }
  await rest();
  await client.cancelOnDisconnect({ enabled: false });
  client.close();
  await expect.poll(() => last!.readyState).toBe(WebSocket.CLOSED);
  expect(await open()).toBe(1);
  expect(world.faults).toEqual([]);
});
