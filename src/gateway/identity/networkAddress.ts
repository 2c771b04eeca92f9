// The one text form of a network address, so that equal addresses are equal texts: IPv4 in dotted
// form, IPv6 compressed in lower case, an IPv4 address mapped into IPv6 as the IPv4 address.

import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const mapped = '::ffff:';

/** The normal form; undefined for anything but one plain address (no port, zone or range). */
export function parseNetworkAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  // A socket that listens on both families reports every IPv4 peer in this form.
  const short = parseMapped(text);
  if (short !== undefined) return short;
  if (text.includes('%') || !isIPv6(text)) return undefined;
  const address = new SocketAddress({ address: text, family: 'ipv6' }).address;
  return parseMapped(address) ?? address;
}

/** The IPv4 address inside a mapped one in its usual spelling; undefined for any other text. */
function parseMapped(text: string): string | undefined {
  if (!text.startsWith(mapped)) return undefined;
  const rest = text.slice(mapped.length);
  return isIPv4(rest) ? rest : undefined;
}
