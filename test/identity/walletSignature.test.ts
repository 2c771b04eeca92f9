// AUTH-5: the message that is signed, the form of signatures, the recovery of signers.

import { encodeAbiParameters, keccak256, stringToBytes } from 'viem';
import { hashTypedData, recoverAddress } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoginMessage, loginTypedData } from '../../src/gateway/identity/loginMessage.ts';
import { recoverLoginSigner } from '../../src/gateway/identity/recoverLoginSigner.ts';
import {
  type SignatureRecovery,
  startSignatureRecovery,
} from '../../src/gateway/identity/startSignatureRecovery.ts';
import {
  isSignatureCanonical,
  isWalletSignature,
} from '../../src/gateway/identity/walletSignature.ts';
import { createWallet, flipS } from './wallet.ts';

const wallet = createWallet(7);
const message: LoginMessage = {
  chainId: 43113,
  address: wallet.address,
  nonce: 'bm9uY2U',
  timestamp: 1_700_000_000,
};

describe('AUTH-5 login message', () => {
  it('has the EIP-712 hash that was computed by hand', () => {
    const text = (value: string) => keccak256(stringToBytes(value));
    const domain = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }],
        [
          text('EIP712Domain(string name,string version,uint256 chainId)'),
          text('Evermark'),
          text('1'),
          43113n,
        ],
      ),
    );
    const login = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint256' }],
        [
          text('Login(address wallet,string nonce,uint256 timestamp)'),
          wallet.address as `0x${string}`,
          text(message.nonce),
          1_700_000_000n,
        ],
      ),
    );
    const byHand = keccak256(`0x1901${domain.slice(2)}${login.slice(2)}`);
    expect(hashTypedData(loginTypedData(message) as never)).toBe(byHand);
  });
});

describe('AUTH-5 signature', () => {
  it('is recovered to the wallet, with v as 27 and 28 or as 0 and 1', async () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const signer = createWallet(seed);
      const signed = await signer.sign({ ...message, address: signer.address });
      const own = { ...message, address: signer.address };
      expect(await recoverLoginSigner(own, signed)).toBe(signer.address);
      const parity = signed.slice(130) === '1b' ? '00' : '01';
      expect(await recoverLoginSigner(own, signed.slice(0, 130) + parity)).toBe(signer.address);
    }
  });

  it('recovers to another address for any other message', async () => {
    const signed = await wallet.sign(message);
    const others: LoginMessage[] = [
      { ...message, chainId: 43114 },
      { ...message, nonce: `${message.nonce}A` },
      { ...message, timestamp: message.timestamp + 1 },
      { ...message, address: createWallet(8).address },
    ];
    for (const other of others) {
      expect(await recoverLoginSigner(other, signed)).not.toBe(wallet.address);
    }
  });

  it('is refused with s in the upper half, although it recovers', async () => {
    const signed = await wallet.sign(message);
    const high = flipS(signed);
    const hash = hashTypedData(loginTypedData(message) as never);
    const recovered = await recoverAddress({ hash, signature: high as `0x${string}` });
    expect(recovered.toLowerCase(), 'the flipped signature is valid').toBe(wallet.address);
    expect(isSignatureCanonical(signed)).toBe(true);
    expect(isSignatureCanonical(high)).toBe(false);
    expect(await recoverLoginSigner(message, high)).toBeUndefined();
  });

  it('is refused with r, s or v out of range', () => {
    const good = 'ab'.repeat(32);
    const low = `00${'11'.repeat(31)}`;
    const zero = '00'.repeat(32);
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
    const half = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';
    const aboveHalf = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1';
    const canonical = (r: string, s: string, v: string) => isSignatureCanonical(`0x${r}${s}${v}`);
    for (const v of ['00', '01', '1b', '1c', '1B']) expect(canonical(good, low, v), v).toBe(true);
    for (const v of ['02', '1a', '1d', '25', 'ff']) expect(canonical(good, low, v), v).toBe(false);
    expect(canonical(good, half, '1b')).toBe(true);
    expect(canonical(good, aboveHalf, '1b')).toBe(false);
    expect(canonical(zero, low, '1b')).toBe(false);
    expect(canonical(order, low, '1b')).toBe(false);
    expect(canonical(good, zero, '1b')).toBe(false);
  });

  it('recovers to no address when r is no point of the curve', async () => {
    // 5 is the least abscissa that no point of the curve has.
    const r = '5'.padStart(64, '0');
    const signature = `0x${r}${'1'.padStart(64, '0')}1b`;
    expect(isSignatureCanonical(signature)).toBe(true);
    expect(await recoverLoginSigner(message, signature)).toBeUndefined();
  });

  it('has exactly one form', async () => {
    const signed = await wallet.sign(message);
    expect(isWalletSignature(signed)).toBe(true);
    expect(isWalletSignature(`0x${signed.slice(2).toUpperCase()}`)).toBe(true);
    const malformed = [
      '',
      '0x',
      signed.slice(2),
      `0X${signed.slice(2)}`,
      signed.slice(0, 130),
      `${signed}00`,
      `${signed.slice(0, -1)}g`,
      ` ${signed}`,
      `${signed}\n`,
    ];
    for (const text of malformed) expect(isWalletSignature(text), text).toBe(false);
  });
});

describe('AUTH-5 recovery thread', () => {
  let recovery: SignatureRecovery;
  beforeAll(() => {
    recovery = startSignatureRecovery(4);
  });
  afterAll(() => recovery.close());

  it('recovers signers and reports signatures without a signer', async () => {
    const signed = await wallet.sign(message);
    const found = await recovery.recover(message, signed);
    expect(found).toEqual({ kind: 'recovered', address: wallet.address });
    const nobody = await recovery.recover(message, flipS(signed));
    expect(nobody).toEqual({ kind: 'unrecoverable' });
  });

  it('refuses at once what exceeds its queue, and answers all that it accepted', async () => {
    const signed = await wallet.sign(message);
    const asked = Array.from({ length: 7 }, () => recovery.recover(message, signed));
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(Array(4).fill('recovered'));
    expect(kinds.slice(4)).toEqual(Array(3).fill('overloaded'));
    expect((await recovery.recover(message, signed)).kind).toBe('recovered');
  });

  it('gives each answer to its question', async () => {
    const wallets = [1, 2, 3, 4].map(createWallet);
    const answers = await Promise.all(
      wallets.map(async (one) => {
        const own = { ...message, address: one.address };
        return recovery.recover(own, await one.sign(own));
      }),
    );
    const addresses = wallets.map(({ address }) => ({ kind: 'recovered', address }));
    expect(answers).toEqual(addresses);
  });

  it('rejects when its thread dies and starts another', async () => {
    const signed = await wallet.sign(message);
    // Half a second cannot be hashed: checkLogin never lets it through, so the thread may die of
    // it.
    const broken = recovery.recover({ ...message, timestamp: 0.5 }, signed);
    const behind = recovery.recover(message, signed);
    await expect(broken).rejects.toThrow('failed');
    await behind.catch(() => undefined);
    expect((await recovery.recover(message, signed)).kind).toBe('recovered');
  });

  it('rejects waiting work when it is closed', async () => {
    const closing = startSignatureRecovery();
    const asked = closing.recover(message, await wallet.sign(message));
    const outcome = expect(asked).rejects.toThrow('stopped');
    await closing.close();
    await outcome;
  });
});
