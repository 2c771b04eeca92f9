// The target of logins (AUTH-5): EIP-712 signatures that are almost right. A login is accepted when
// the wallet signed exactly this message for this chain with a low s, in time and with its own
// nonce. Every other login is refused. The real check decides, and it recovers the signer too.

import {
  checkLogin,
  type LoginDecision,
  type LoginRequest,
} from '../src/gateway/identity/checkLogin.ts';
import { createLoginLimit } from '../src/gateway/identity/loginLimit.ts';
import { loginTypedData } from '../src/gateway/identity/loginMessage.ts';
import { deriveNonceKey, makeLoginNonce } from '../src/gateway/identity/loginNonce.ts';
import { recoverLoginSigner } from '../src/gateway/identity/recoverLoginSigner.ts';
import { createWallet, flipS, type Wallet } from '../test/identity/wallet.ts';
import { createDraw, type Draw, spoilBytes, spoilText } from './draw.ts';
import { demand, type TargetReport, type TargetRun, tryAlone } from './target.ts';

const chains = [43114, 42161, 56, 43113, 421614] as const;
const now = 1_760_000_000_000;
const seconds = now / 1000;
const windowSeconds = 300;
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const nonceKey = deriveNonceKey('the secret of the tokens of this target');

/** A valid request, and the wallet that signed it. */
type Signed = LoginRequest & { readonly wallet: Wallet; readonly chainId: number };

export type SignaturesStage = { readonly signed: readonly Signed[] };

const walletsOfChain = 8;

/** Valid requests of every chain. Signing costs a millisecond, so they are made once. */
export async function openSignaturesStage(): Promise<SignaturesStage> {
  const signed: Signed[] = [];
  for (const chainId of chains) {
    for (let at = 1; at <= walletsOfChain; at += 1) {
      signed.push(await sign(createWallet(at), chainId, seconds, at));
    }
  }
  return { signed };
}

async function sign(wallet: Wallet, chainId: number, timestamp: number, salt: number) {
  const { address } = wallet;
  const random = (size: number): Buffer => Buffer.alloc(size, salt);
  const { nonce } = makeLoginNonce({ key: nonceKey, address, chainId, now }, random);
  const signature = await wallet.sign({ chainId, address, nonce, timestamp });
  return { address, nonce, timestamp, signature, wallet, chainId };
}

export async function signaturesTarget(run: TargetRun): Promise<TargetReport> {
  const stage = await openSignaturesStage();
  return tryAlone('signatures', run, (seed) => trySignature(stage, createDraw(seed)));
}

/** The decision of a chain's exchange at a time, with the real recovery. */
export function decide(request: LoginRequest, chainId: number, at: number): Promise<LoginDecision> {
  return checkLogin(request, {
    chainId,
    now: at,
    nonceKey,
    client: '203.0.113.5',
    limit: createLoginLimit(),
    places: { whyFull: () => undefined },
    recovery: {
      recover: async (message, signature) => {
        const address = await recoverLoginSigner(message, signature);
        return address === undefined ? { kind: 'unrecoverable' } : { kind: 'recovered', address };
      },
      close: async () => {},
    },
  });
}

type Tried = {
  readonly request: LoginRequest;
  readonly chainId?: number;
  readonly at?: number;
};

async function trySignature({ signed }: SignaturesStage, draw: Draw): Promise<string> {
  const good = draw.pick(signed);
  const kind = draw.weighed(weights);
  const { request, chainId = good.chainId, at = now } = await makers[kind](draw, good);
  const decision = await decide(request, chainId, at);
  const expected = isRight(good, { request, chainId, at });
  demand(decision.ok === expected, () => {
    const described = JSON.stringify({ request, chainId, at });
    return `${kind}: ${described} is ${decision.ok ? 'taken' : decision.reason}`;
  });
  const own = !decision.ok || decision.address === good.address;
  demand(own, () => `${kind}: ${JSON.stringify(decision)} is another wallet's`);
  return `${kind}: ${decision.ok ? 'taken' : decision.reason}`;
}

/** A signature in one canonical form; undefined when its form is invalid. */
function worthOf(signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  const v = Number.parseInt(signature.slice(130), 16);
  return `${signature.slice(2, 130).toLowerCase()} ${v < 2 ? v + 27 : v}`;
}

/** Whether the tried request still equals the valid one, in time and on its chain. */
function isRight(good: Signed, { request, chainId, at }: Required<Tried>): boolean {
  const { address, nonce, timestamp, signature } = request;
  const sameAddress =
    address.toLowerCase() === good.address &&
    (address === good.address ||
      address === good.wallet.checksummed ||
      address === `0x${good.address.slice(2).toUpperCase()}`);
  const timely = Math.abs(at - timestamp * 1000) <= windowSeconds * 1000;
  const fresh = at < (seconds + windowSeconds) * 1000;
  const same = nonce === good.nonce && timestamp === good.timestamp && chainId === good.chainId;
  return sameAddress && same && timely && fresh && worthOf(signature) === worthOf(good.signature);
}

const weights = {
  good: 1,
  spelling: 1,
  bytes: 6,
  text: 3,
  highS: 2,
  v: 3,
  range: 3,
  compact: 1,
  chain: 3,
  domain: 2,
  message: 3,
  time: 2,
  stranger: 2,
} as const;

type Make = (draw: Draw, good: Signed) => Tried | Promise<Tried>;

const hex = (value: bigint): string => value.toString(16).padStart(64, '0');

function rsv(signature: string): readonly [r: string, s: string, v: string] {
  return [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
}

const withSignature = (good: Signed, signature: string): Tried => ({
  request: { ...good, signature },
});

const makers: Readonly<Record<keyof typeof weights, Make>> = {
  good: (_draw, good) => ({ request: good }),
  spelling: (draw, good) => {
    const { wallet, signature } = good;
    const upper = `0x${good.address.slice(2).toUpperCase()}`;
    const address = draw.pick([wallet.checksummed, upper, good.address]);
    const low = `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`;
    const loud = `0x${signature.slice(2).toUpperCase()}`;
    return { request: { ...good, address, signature: draw.pick([signature, low, loud]) } };
  },
  bytes: (draw, good) => {
    const bytes = Buffer.from(good.signature.slice(2), 'hex');
    return withSignature(good, `0x${spoilBytes(draw, bytes).toString('hex')}`);
  },
  text: (draw, good) => withSignature(good, spoilText(draw, good.signature)),
  highS: (_draw, good) => withSignature(good, flipS(good.signature)),
  v: (draw, good) => {
    const [r, s] = rsv(good.signature);
    const eip155 = good.chainId * 2 + 35 + draw.below(2);
    const v = draw.pick([0, 1, 2, 3, 26, 27, 28, 29, 30, 35, 36, eip155 % 256, draw.below(256)]);
    return withSignature(good, `0x${r}${s}${v.toString(16).padStart(2, '0')}`);
  },
  range: (draw, good) => {
    const [r, s, v] = rsv(good.signature);
    const edge = draw.pick([0n, 1n, curveOrder - 1n, curveOrder, curveOrder + 1n, 2n ** 256n - 1n]);
    const half = curveOrder / 2n + BigInt(draw.below(3)) - 1n;
    return withSignature(
      good,
      draw.pick([
        `0x${hex(edge)}${s}${v}`,
        `0x${r}${hex(edge)}${v}`,
        `0x${hex(edge)}${hex(edge)}${v}`,
        `0x${r}${hex(half)}${v}`,
        `0x${s}${r}${v}`,
      ]),
    );
  },
  compact: (draw, good) => {
    // EIP-2098: the parity in the top bit of s, 64 bytes in all.
    const [r, s, v] = rsv(good.signature);
    const yParity = v === '1c' ? 1n : 0n;
    const compact = `0x${r}${hex(BigInt(`0x${s}`) | (yParity << 255n))}`;
    return withSignature(good, draw.pick([compact, `${compact}${v}`, `${compact}00`]));
  },
  chain: (draw, good) => ({ request: good, chainId: draw.pick(chains) }),
  domain: async (draw, good) => {
    const domain = draw.pick<object>([
      { name: 'evermark' },
      { name: 'Evermark ' },
      { version: '2' },
      { verifyingContract: good.address },
      { chainId: undefined },
      { salt: `0x${'00'.repeat(32)}` },
    ]);
    return { request: { ...good, signature: await signOther(good, { domain }) } };
  },
  message: async (draw, good) => {
    const { nonce, timestamp, address } = good;
    const other = { ...good, timestamp: timestamp + 1 + draw.below(3) };
    if (draw.once(4)) return { request: other };
    if (draw.once(3)) return { request: { ...good, nonce: spoilText(draw, nonce) } };
    if (draw.once(2)) return { request: { ...good, address: spoilText(draw, address) } };
    const message = draw.pick<object>([
      { nonce: `${nonce} ` },
      { timestamp: timestamp - 1 },
      { wallet: `0x${'11'.repeat(20)}` },
    ]);
    return { request: { ...good, signature: await signOther(good, { message }) } };
  },
  time: async (draw, good) => {
    const edge = windowSeconds * 1000;
    const at = now + draw.pick([edge - 1, edge, edge + 1, -edge, -edge - 1, draw.below(2 * edge)]);
    if (draw.once(2)) return { request: good, at };
    const timestamp = seconds + draw.pick([-301, -300, 300, 301, 0.5, -1e10, 1e300]);
    return { request: { ...good, timestamp } };
  },
  stranger: async (draw, good) => {
    // A valid signature of another wallet, over the valid request's own message.
    const { chainId, address, nonce, timestamp } = good;
    const signature = await createWallet(100 + draw.below(50)).sign({
      chainId,
      address,
      nonce,
      timestamp,
    });
    return { request: { ...good, signature } };
  },
};

/** The wallet's signature over typed data with one changed member. */
function signOther(
  good: Signed,
  { domain = {}, message = {} }: { readonly domain?: object; readonly message?: object },
): Promise<string> {
  const data = loginTypedData(good);
  const own = { ...data.domain, ...domain } as Record<string, unknown>;
  const types = {
    ...data.types,
    EIP712Domain: domainTypes.filter(({ name }) => own[name] !== undefined),
  };
  return good.wallet.signTyped({
    ...data,
    types,
    domain: own,
    message: { ...data.message, ...message },
  });
}

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];
