// Goal: a request whose answer was lost cannot take effect twice when it is sent again (ID-3), and
// two equal requests that are wanted are two. Method: the keys with which requests go out.

import { expect, test } from 'vitest';
import { ApiError } from '../../src/client/apiError.ts';
import { createRequestKeys } from '../../src/page/state/requestKeys.ts';

const order = { symbol: 'BTCUSDT', side: 'BUY', quantity: '0.1' };
const lost = new TypeError('Failed to fetch');
const failure = (status: number): ApiError =>
  new ApiError({ operation: 'placeNativeOrder', status, body: '{}' });

/** Sends requests whose answers are given; gives the key of each. */
function openKeys() {
  let drawn = 0;
  let address: string | undefined = '0xa';
  const keys = createRequestKeys({
    fillRandom: (bytes) => {
      drawn += 1;
      bytes.fill(drawn);
    },
    address: () => address,
  });
  const seen = new Set<string>();
  const send = async (request: object, error?: Error): Promise<string> => {
    let used = '';
    const sent = keys.sendOnce(request, async ({ idempotencyKey }, isAgain) => {
      expect(isAgain).toBe(seen.has(idempotencyKey));
      seen.add(idempotencyKey);
      used = idempotencyKey;
      if (error !== undefined) throw error;
      return 'done';
    });
    if (error === undefined) expect(await sent).toBe('done');
    else await expect(sent).rejects.toBe(error);
    return used;
  };
  const change = (next: string): void => {
    address = next;
  };
  return { keys, send, change };
}

test.each([
  ['no answer', lost],
  ['a fault', failure(503)],
])('ID-3 after %s the same request has the same key until its fate is known', async (_, error) => {
  const { send } = openKeys();
  const first = await send(order, error);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await send(order, error)).toBe(first);
  expect(await send(order)).toBe(first);
  expect(await send(order)).not.toBe(first);
});

test('ID-3 a refused request is another one when it is sent again', async () => {
  const { send } = openKeys();
  expect(await send(order)).not.toBe(await send(order, failure(400)));
});

test('ID-3 another request and another account have keys of their own', async () => {
  const { send, change } = openKeys();
  const first = await send(order, lost);
  expect(await send({ ...order, quantity: '0.2' }, lost)).not.toBe(first);
  change('0xb');
  expect(await send(order, lost)).not.toBe(first);
  change('0xa');
  expect(await send(order)).toBe(first);
});

test('ID-3 two equal requests at the same time are two', async () => {
  const { keys } = openKeys();
  const used: string[] = [];
  const send = () =>
    keys.sendOnce(order, async ({ idempotencyKey }) => {
      used.push(idempotencyKey);
    });
  await Promise.all([send(), send()]);
  expect(new Set(used).size).toBe(2);
});
