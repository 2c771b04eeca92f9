// Goal: every way to write an address of one IPv6 /64 gives one limit key, and two networks never
// share one. Method: a table of spellings, and seeded addresses against the platform's block list.

import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { limitKeyOf, siteKeyOf } from '../../src/gateway/identity/limitKey.ts';
import { createPrng } from '../../src/std/prng.ts';

test('AUTH-7 an IPv6 client counts by its /64 in any spelling, an IPv4 client by its address', () => {
  const keys: readonly (readonly [address: string, key: string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::2:3:4:5:6:7', '2001:0:2:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['no address', 'no address'],
  ];
  for (const [address, key] of keys) expect(limitKeyOf(address), address).toBe(key);
});

test('AUTH-7 two IPv6 addresses share a limit key when the platform has them in one /64', () => {
  const prng = createPrng(1);
  const group = (): string => (prng.below(3) === 0 ? '0' : prng.below(65_536).toString(16));
  for (let i = 0; i < 500; i += 1) {
    const head = Array.from({ length: 4 }, group);
    const near = [...head, ...Array.from({ length: 4 }, group)].join(':');
    const other = Array.from({ length: 8 }, group).join(':');
    const network = new BlockList();
    network.addSubnet(near, 64, 'ipv6');
    for (const address of [`${head.join(':')}::`, other]) {
      const same = network.check(address, 'ipv6');
      expect(limitKeyOf(address) === limitKeyOf(near), `${address} and ${near}`).toBe(same);
    }
  }
});

test('CON-1 the limit key of an IPv6 client gives its /48, and an IPv4 client has none', () => {
  const sites: readonly (readonly [address: string, site: string | undefined])[] = [
    ['2001:db8:1:2::7', '2001:db8:1::/48'],
    ['2001:db8:1:ffff:1:2:3:4', '2001:db8:1::/48'],
    ['2001:db8:2:2::7', '2001:db8:2::/48'],
    ['::1', '0:0:0::/48'],
    ['192.0.2.7', undefined],
    ['::ffff:192.0.2.7', undefined],
    ['', undefined],
  ];
  for (const [address, site] of sites) expect(siteKeyOf(limitKeyOf(address)), address).toBe(site);
});
