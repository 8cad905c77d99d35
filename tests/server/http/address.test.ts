import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggedAddress, plainAddress, rateLimitKey } from '../../../server/http/address.ts';

test.each([
  ['198.51.100.77', '198.51.100.0'],
  ['::ffff:198.51.100.77', '198.51.100.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::1', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
])('%s is truncated to %s', (address, expected) => {
  expect(loggedAddress(address, 'truncated')).toBe(expected);
});

test('an IPv4 address from an IPv6 socket is logged as IPv4', () => {
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
});

test('two addresses of one /64 have the same key in any spelling', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
      const network = rateLimitKey(a);
      if (!network.includes(':')) return;
      expect(isIPv6(network)).toBe(true);
      expect(rateLimitKey(network)).toBe(network);
      const sibling = `${network.replace(/::$/, '')}:1:2:3:4`;
      expect(rateLimitKey(sibling)).toBe(network);
      expect(loggedAddress(b, 'none')).toBeNull();
    }),
  );
});

test.each([
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
])('a port that a proxy adds in %s is no part of the address', (given, address) => {
  expect(loggedAddress(given, 'full')).toBe(address);
  expect(rateLimitKey(given)).toBe(rateLimitKey(address));
});

test.each(['unknown', '_hidden', '203.0.113.7.8', 'a'.repeat(5000), ''])(
  'a text that is no address, such as %s, is not logged',
  (text) => {
    for (const policy of ['full', 'truncated'] as const)
      expect(loggedAddress(text, policy)).toBe(null);
    expect(rateLimitKey(text).length).toBeLessThan(50);
  },
);
