// The door of a signer for other operators: which requests it takes, and what it answers. Whether
// something may be signed is checked by the signer behind it. It knows no socket.

import type { Clock } from '../../std/clock.ts';
import type { VaultPlace } from '../vaultTypes.ts';
import { decodePeerRequest, isMacOf, type PeerRequest } from './peerRequest.ts';
import { NotSigned, type Signer, type SignerRefusal } from './signer.ts';

export type SignerDoorOptions = {
  readonly place: VaultPlace;
  /** Checks, and signs. */
  readonly signer: Signer;
  readonly secret: Buffer;
  readonly clock: Clock;
  /** Receives what the caller is not shown. */
  readonly report: (message: string) => void;
};

export type DoorAnswer = { readonly status: number; readonly body: object };

/** `mac`: the request's header, if it has one. */
export type SignerDoor = (mac: unknown, body: Buffer) => Promise<DoorAnswer>;

/** How far the clocks of both sides may be apart, with the way between them, milliseconds. */
const windowMs = 30_000;
/** Who has the secret can ask so often within the window. */
const noncesMax = 10_000;
/** Requests that are being checked or wait for it. */
const waitingMax = 8;

const statuses: Partial<Record<SignerRefusal, number>> = {
  ...{ malformed: 400, actionUnknown: 400, unauthorized: 401, stale: 401, replayed: 401 },
  ...{ behind: 503, busy: 503, failed: 500 },
};

export const refused = (refusal: SignerRefusal, detail: string): DoorAnswer => ({
  status: statuses[refusal] ?? 409,
  body: { refused: refusal, detail },
});

export function createSignerDoor(options: SignerDoorOptions): SignerDoor {
  const { signer, secret, report } = options;
  const admit = createAdmission(options);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const answer = async (mac: unknown, body: Buffer): Promise<DoorAnswer> => {
    // Before anything else: who has no secret pays for one hash of a short body.
    if (!isMacOf(secret, body, mac)) {
      return refused('unauthorized', 'the request does not have the MAC of the secret');
    }
    const { asked } = admit(decodePeerRequest(body.toString('utf8')));
    if (waiting >= waitingMax) return refused('busy', 'other requests are being checked');
    waiting += 1;
    const turn = last.then(() => signer.sign(asked));
    last = turn.catch(() => {});
    const signature = await turn.finally(() => {
      waiting -= 1;
    });
    return { status: 200, body: { signature } };
  };
  /** A service that is refused asks again each second. */
  let reported = '';
  const reportNew = ({ message }: Error): void => {
    if (message !== reported) report(message);
    reported = message;
  };
  return (mac, body) =>
    answer(mac, body).catch((error: Error) => {
      const isNamed = error instanceof NotSigned;
      if (!isNamed || error.refusal !== 'behind') reportNew(error);
      if (isNamed) return refused(error.refusal, error.detail);
      return refused('failed', 'the signer could not sign');
    });
}

/**
 * A request is for this signer, of now, and comes once. What came before the start of this process
 * is not known any more, so a request that is dated before it is refused.
 */
function createAdmission({ place, signer, clock }: SignerDoorOptions) {
  const startedAt = clock.now();
  /** By the nonce when it may be forgotten, oldest first. */
  const seen = new Map<string, number>();
  return (request: PeerRequest): PeerRequest => {
    const now = clock.now();
    const { chainId, vault, time, nonce } = request;
    if (chainId !== place.chainId || vault !== place.vault) {
      throw new NotSigned('otherVault', `this signer signs for ${place.vault}`);
    }
    if (request.signer !== signer.address) {
      throw new NotSigned('otherSigner', `this signer is ${signer.address}`);
    }
    if (Math.abs(time - now) > windowMs || time < startedAt) {
      throw new NotSigned('stale', `it is dated ${time}, and here it is ${now}`);
    }
    for (const [each, until] of seen) {
      if (until >= now) break;
      seen.delete(each);
    }
    if (seen.has(nonce)) throw new NotSigned('replayed', 'this request was here before');
    if (seen.size >= noncesMax) throw new NotSigned('busy', 'too many requests within the window');
    seen.set(nonce, now + 2 * windowMs);
    return request;
  };
}
