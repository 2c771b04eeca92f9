// AUTH-1: who the network says is calling, and the address lists of API keys.

import { describe, expect, it } from 'vitest';
import {
  clientAddress,
  trustedProxiesDefault,
  trustedProxySet,
} from '../../src/gateway/identity/clientAddress.ts';
import {
  formatIpWhitelist,
  ipAllowed,
  ipWhitelistMax,
  parseIpWhitelist,
} from '../../src/gateway/identity/ipWhitelist.ts';
import { parseNetworkAddress } from '../../src/gateway/identity/networkAddress.ts';

const loopback = trustedProxySet(trustedProxiesDefault);

function seen(peer: string, forwardedFor?: string, trustedProxies = loopback): string {
  return clientAddress({ peer, forwardedFor, trustedProxies });
}

describe('AUTH-1 client address', () => {
  it('is the first hop when the peer is a trusted proxy', () => {
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
      expect(seen(peer, '203.0.113.9'), peer).toBe('203.0.113.9');
      expect(seen(peer, ' 203.0.113.9 , 10.0.0.1, 10.0.0.2'), peer).toBe('203.0.113.9');
    }
    expect(seen('127.0.0.1', '2001:DB8:0::1')).toBe('2001:db8::1');
    expect(seen('127.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9');
  });

  it('is the peer when the peer is not trusted, with any header', () => {
    expect(seen('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
    expect(seen('::ffff:198.51.100.1', '127.0.0.1')).toBe('198.51.100.1');
    expect(seen('127.0.0.1', '203.0.113.9', new Set())).toBe('127.0.0.1');
  });

  it('is the peer without the header or with a malformed first hop', () => {
    expect(seen('127.0.0.1')).toBe('127.0.0.1');
    expect(seen('::ffff:127.0.0.1')).toBe('127.0.0.1');
    for (const header of ['', ',', 'unknown', '203.0.113', '203.0.113.9:80', ',203.0.113.9']) {
      expect(seen('::1', header), header).toBe('::1');
    }
  });

  it('accepts the configured proxies in any spelling, and only addresses', () => {
    const proxies = trustedProxySet(['10.0.0.9', ' 2001:DB8::0:7 ']);
    expect(seen('::ffff:10.0.0.9', '203.0.113.9', proxies)).toBe('203.0.113.9');
    expect(seen('2001:db8::7', '203.0.113.9', proxies)).toBe('203.0.113.9');
    expect(seen('127.0.0.1', '203.0.113.9', proxies)).toBe('127.0.0.1');
    expect(() => trustedProxySet(['10.0.0.0/8'])).toThrow('10.0.0.0/8');
  });
});

describe('AUTH-1 normal form', () => {
  it('is one text for each address', () => {
    for (const [text, normal] of [
      ['203.0.113.9', '203.0.113.9'],
      ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
      ['2001:DB8::1', '2001:db8::1'],
      ['::FFFF:203.0.113.9', '203.0.113.9'],
      ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
      ['::', '::'],
    ]) {
      expect(parseNetworkAddress(text!), text).toBe(normal);
    }
  });

  it('is refused for anything else', () => {
    const malformed = [
      '',
      ' ',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '1.2.3.4 ',
      '1.2.3.4/32',
      '::1/128',
      '[::1]',
      'fe80::1%eth0',
      '::ffff:999.1.1.1',
      '１.2.3.4',
    ];
    for (const text of malformed) expect(parseNetworkAddress(text), text).toBeUndefined();
  });
});

describe('ip_whitelist', () => {
  it('matches addresses in any spelling and nothing else', () => {
    const parsed = parseIpWhitelist(' 203.0.113.9, 2001:DB8::0:1,::ffff:198.51.100.2,203.0.113.9 ');
    expect(parsed.ok).toBe(true);
    if (!parsed.ok) return;
    const { whitelist } = parsed;
    expect(formatIpWhitelist(whitelist)).toBe('203.0.113.9,2001:db8::1,198.51.100.2');
    expect(parseIpWhitelist(formatIpWhitelist(whitelist))).toEqual(parsed);
    expect(ipAllowed(whitelist, seen('::ffff:203.0.113.9'))).toBe(true);
    expect(ipAllowed(whitelist, seen('127.0.0.1', '2001:db8:0:0::1'))).toBe(true);
    expect(ipAllowed(whitelist, '198.51.100.2')).toBe(true);
    expect(ipAllowed(whitelist, '203.0.113.10')).toBe(false);
  });

  it('is unrestricted when empty', () => {
    for (const text of ['', '  ']) {
      const parsed = parseIpWhitelist(text);
      expect(parsed).toEqual({ ok: true, whitelist: new Set() });
      if (parsed.ok) expect(ipAllowed(parsed.whitelist, '203.0.113.9')).toBe(true);
    }
    expect(formatIpWhitelist(new Set())).toBe('');
  });

  it('invalidIp: an item that is no plain address, a blank item, too many', () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, i) => `10.0.0.${i}`).join(',');
    expect(parseIpWhitelist(addresses(ipWhitelistMax)).ok).toBe(true);
    const malformed = [
      'x',
      ',',
      '203.0.113.9,',
      ',203.0.113.9',
      '203.0.113.9,,203.0.113.10',
      '203.0.113.9;203.0.113.10',
      '203.0.113.0/24',
      '0',
      addresses(ipWhitelistMax + 1),
      ' '.repeat(5000),
    ];
    for (const text of malformed) {
      expect(parseIpWhitelist(text), text).toEqual({ ok: false, reason: 'invalidIp' });
    }
  });
});
