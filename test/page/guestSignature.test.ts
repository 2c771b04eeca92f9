// The guest's address, hash and signature are those of a library that wallets use.

import { privateKeyToAccount } from 'viem/accounts';
import { hashTypedData } from 'viem/utils';
import { expect, test } from 'vitest';
import { loginTypedData } from '../../src/gateway/identity/loginMessage.ts';
import { memoryStore } from '../../src/page/state/store.ts';
import { guestKey, openGuest } from '../../src/page/wallet/openGuest.ts';
import type { TypedData } from '../../src/page/wallet/signIn.ts';
import { addressOf, signTypedData } from '../../src/page/wallet/signTypedData.ts';
import { typedDataHash } from '../../src/page/wallet/typedDataHash.ts';
import { createPrng } from '../../src/std/prng.ts';

const keyOf = (seed: number): `0x${string}` => {
  const prng = createPrng(seed);
  const bytes = Array.from({ length: 32 }, () => prng.below(256));
  return `0x${Buffer.from(bytes).toString('hex')}`;
};

test.each([1, 2, 3, 4, 5, 6, 7, 8])('key %i', async (seed) => {
  const key = keyOf(seed);
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase();
  expect(addressOf(key)).toBe(address);
  const nonce = `${'n'.repeat(70)}${seed}-ü`;
  const message = { chainId: 43113, address, nonce, timestamp: 1_760_000_000 + seed };
  const typedData = loginTypedData(message);
  const asJson = JSON.parse(JSON.stringify(typedData)) as TypedData;
  const hash = hashTypedData(typedData as unknown as Parameters<typeof hashTypedData>[0]);
  expect(`0x${Buffer.from(typedDataHash(asJson)).toString('hex')}`).toBe(hash);
  const signature = await account.signTypedData(typedData as never);
  expect(signTypedData(key, asJson)).toBe(signature);
});

test('a guest is made once, and found again in the same browser and on no other chain', async () => {
  const store = memoryStore();
  const fillRandom = (bytes: Uint8Array): unknown => bytes.fill(7);
  const first = await openGuest({ store, chainId: 43113, fillRandom });
  const again = await openGuest({
    store,
    chainId: 43113,
    fillRandom: () => {
      throw new Error('there is a key already');
    },
  });
  expect(again.address).toBe(first.address);
  expect(guestKey(store, 421614)).toBeUndefined();
  store.setItem('evermark.guest.43113', '"no key"');
  expect(guestKey(store, 43113)).toBeUndefined();
});
