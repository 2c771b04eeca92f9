// What a client counts as in every limit of addresses (AUTH-7): an IPv4 address is one client, and
// so is a whole IPv6 /64, because one customer of a network gets at least that many. Address lists
// of keys compare full addresses (ipWhitelist.ts).

const mapped = '::ffff:';

/**
 * The key that counts are kept by. Takes an address in any spelling, as `clientAddress` or a socket
 * gives it; gives an IPv6 address as its first four groups and `::/64`, and a text without a colon,
 * as IPv4 addresses are, unchanged. Cost: nothing for IPv4, about 1 µs for IPv6.
 */
export function limitKeyOf(address: string): string {
  if (!address.includes(':')) return address;
  // A socket that listens on both families reports every IPv4 peer in this form.
  if (address.startsWith(mapped) && address.includes('.')) return address.slice(mapped.length);
  const zone = address.indexOf('%');
  const groups = groupsOf(zone < 0 ? address : address.slice(0, zone));
  return `${groups.slice(0, 4).map(plainGroup).join(':')}::/64`;
}

/** Of an IPv6 limit key, its /48, of which a customer may have all 65,536 /64s; else undefined. */
export function siteKeyOf(limitKey: string): string | undefined {
  if (!limitKey.endsWith('::/64')) return undefined;
  return `${limitKey.slice(0, limitKey.lastIndexOf(':', limitKey.length - 6))}::/48`;
}

/** At least the first six groups; what `::` leaves out is written. */
function groupsOf(address: string): string[] {
  const gap = address.indexOf('::');
  if (gap < 0) return address.split(':');
  const before = gap === 0 ? [] : address.slice(0, gap).split(':');
  const rest = address.slice(gap + 2);
  const after = rest === '' ? [] : rest.split(':');
  // An IPv4 address at the end stands for two groups.
  const written = before.length + after.length + (rest.includes('.') ? 1 : 0);
  const zeros: string[] = new Array(Math.max(0, 8 - written)).fill('0');
  return [...before, ...zeros, ...after];
}

/** Small letters, no zeros in front. */
function plainGroup(group: string): string {
  return Number.parseInt(group, 16).toString(16);
}
