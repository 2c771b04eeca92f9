// A signer of another operator, over HTTP. It checks against its own replica of the log, so nothing
// is checked here (createSignerDoor.ts is its side).

import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import type { Clock } from '../../std/clock.ts';
import type { ToSign, VaultPlace } from '../vaultTypes.ts';
import { askSigner, type SignerAddress, shownText } from './askSigner.ts';
import { signatureIn } from './createWeb3Signer.ts';
import { encodePeerRequest, macHeader, macOf, signPath } from './peerRequest.ts';
import type { Signer } from './signer.ts';

export type PeerSignerOptions = {
  readonly place: VaultPlace;
  readonly url: SignerAddress;
  /** In lower case: who must have signed. */
  readonly address: Hex;
  readonly secret: Buffer;
  readonly clock: Clock;
};

export function createPeerSigner(options: PeerSignerOptions): Signer {
  return {
    address: options.address,
    sign: (asked) => ask(options, asked),
  };
}

async function ask(options: PeerSignerOptions, asked: ToSign): Promise<Hex> {
  const { place, url, address: signer, secret, clock } = options;
  const time = clock.now();
  const nonce = randomBytes(16).toString('hex');
  const body = encodePeerRequest({ ...place, signer, time, nonce, asked });
  const headers = { [macHeader]: macOf(secret, body) };
  const { status, text } = await askSigner({ url, path: signPath, body, headers });
  const answer = parsed(text);
  if (status === 200) return signatureIn(answer.signature);
  if (answer.refused === undefined) throw new Error(`the signer answers ${status}`);
  throw new Error(`${shownText(answer.refused)}: ${shownText(answer.detail)}`);
}

type Answer = {
  readonly signature?: unknown;
  readonly refused?: unknown;
  readonly detail?: unknown;
};

function parsed(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch {
    return {};
  }
}
