// How an operator names a signer: a file with its key, web3signer, or a signer of another operator.

export type SignerName =
  | { readonly kind: 'file'; readonly path: string }
  /** By an address, or by the public key. */
  | { readonly kind: 'web3signer'; readonly url: string; readonly identifier: `0x${string}` }
  | {
      readonly kind: 'peer';
      readonly url: string;
      readonly address: `0x${string}`;
      readonly secretPath: string;
    };

export const remoteSignerForm =
  'web3signer:URL#ADDRESS, web3signer:URL#PUBLICKEY or peer:URL#ADDRESS:SECRETFILE; a password ' +
  'in the URL only with https';

const web3signer = /^web3signer:(https?:\/\/[^\s,#]+)#(0x(?:[0-9a-f]{40}|[0-9a-f]{128}))$/i;
const peer = /^peer:(https?:\/\/[^\s,#]+)#(0x[0-9a-f]{40}):([^,]+)$/i;

/** Undefined for a text that begins like one of a signer elsewhere and is none. */
export function parseSignerName(text: string): SignerName | undefined {
  if (!/^(web3signer|peer):/i.test(text)) return { kind: 'file', path: text };
  const [, web3Url, identifier] = web3signer.exec(text) ?? [];
  if (web3Url !== undefined && isUsable(web3Url)) {
    return { kind: 'web3signer', url: web3Url, identifier: lowerCase(identifier!) };
  }
  const [, peerUrl, address, secretPath] = peer.exec(text) ?? [];
  if (peerUrl === undefined || !isUsable(peerUrl)) return undefined;
  return { kind: 'peer', url: peerUrl, address: lowerCase(address!), secretPath: secretPath! };
}

const lowerCase = (hex: string): `0x${string}` => hex.toLowerCase() as `0x${string}`;

/** Everybody on the way can read a password without TLS. */
function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, hostname, search } = new URL(text);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return search === '' && (username === '' || protocol === 'https:' || isLocal);
}
