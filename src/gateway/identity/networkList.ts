// Networks as an operator writes them, and whether an address is in one of them. Address lists of
// API keys have plain addresses only (ipWhitelist.ts).

import { BlockList, isIP } from 'node:net';

/** The machine itself, and private networks (RFC 1918, 4193, 3927). */
export const privateNetworks: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

type Network = {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
};

/** Takes an address, with or without the number of its bits; undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, more] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (version === 0 || more !== undefined || bits < 0 || bits > most) return undefined;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Takes addresses in normal form, as `clientAddress` gives them. Throws at a bad network. */
export function createNetworkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`"${text}" is not a network.`);
    list.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
