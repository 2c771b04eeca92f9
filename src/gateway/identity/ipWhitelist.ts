// The address list of an API key. It is parsed once, when the key is created or changed, and used
// at every signed request. It has plain addresses only, as the interface says; ranges are refused.

import { parseNetworkAddress } from './networkAddress.ts';

export const ipWhitelistMax = 64;
const textMax = 4096;

/** Empty means unrestricted. */
export type IpWhitelist = ReadonlySet<string>;

export type ParsedWhitelist =
  | { readonly ok: true; readonly whitelist: IpWhitelist }
  | { readonly ok: false; readonly reason: 'invalidIp' };

/** Parses comma-separated addresses; blank text is the empty list, a blank item is refused. */
export function parseIpWhitelist(text: string): ParsedWhitelist {
  const refused = { ok: false, reason: 'invalidIp' } as const;
  if (text.length > textMax) return refused;
  if (text.trim() === '') return { ok: true, whitelist: new Set() };
  const items = text.split(',');
  if (items.length > ipWhitelistMax) return refused;
  const whitelist = new Set<string>();
  for (const item of items) {
    const address = parseNetworkAddress(item.trim());
    if (address === undefined) return refused;
    whitelist.add(address);
  }
  return { ok: true, whitelist };
}

/** The list as it is stored and shown; parsing it gives the same list. */
export function formatIpWhitelist(whitelist: IpWhitelist): string {
  return [...whitelist].join(',');
}

/** Whether a client at `address`, in normal form as `clientAddress` gives it, may use the key. */
export function ipAllowed(whitelist: IpWhitelist, address: string): boolean {
  return whitelist.size === 0 || whitelist.has(address);
}
