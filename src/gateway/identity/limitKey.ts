// The key of a client in all limits of addresses (AUTH-7). An IPv4 address is one client, and so is
// a whole IPv6 /64, because a network gives at least that many to one customer. Address lists of
// keys compare full addresses (ipWhitelist.ts).

const mapped = '::ffff:';

/**
 * The limit key of an address in any spelling, as `clientAddress` or a socket gives it. For IPv6 it
 * is the first four groups and `::/64`; a text without a colon, such as an IPv4 address, is
 * unchanged. Cost: nothing for IPv4, about 1 µs for IPv6.
 */
export function limitKeyOf(address: string): string {
  if (!address.includes(':')) return address;
  // A socket that listens on both families reports every IPv4 peer in this form.
  if (address.startsWith(mapped) && address.includes('.')) return address.slice(mapped.length);
  const zone = address.indexOf('%');
  const groups = groupsOf(zone < 0 ? address : address.slice(0, zone));
  return `${groups.slice(0, 4).map(plainGroup).join(':')}::/64`;
}

/** The /48 of an IPv6 limit key: one customer may have all of its /64s. undefined for IPv4. */
export function siteKeyOf(limitKey: string): string | undefined {
  if (!limitKey.endsWith('::/64')) return undefined;
  return `${limitKey.slice(0, limitKey.lastIndexOf(':', limitKey.length - 6))}::/48`;
}

/** At least the first six groups, with the groups that `::` leaves out. */
function groupsOf(address: string): string[] {
  const gap = address.indexOf('::');
  if (gap < 0) return address.split(':');
  const before = gap === 0 ? [] : address.slice(0, gap).split(':');
  const rest = address.slice(gap + 2);
  const after = rest === '' ? [] : rest.split(':');
  // An IPv4 address at the end is two groups.
  const written = before.length + after.length + (rest.includes('.') ? 1 : 0);
  const zeros: string[] = new Array(Math.max(0, 8 - written)).fill('0');
  return [...before, ...zeros, ...after];
}

/** Lower case, without leading zeros. */
function plainGroup(group: string): string {
  return Number.parseInt(group, 16).toString(16);
}
