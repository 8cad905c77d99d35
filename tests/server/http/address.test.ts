import { expect, test } from 'vitest';
import { loggedAddress, rateLimitKey } from '../../../server/http/address.ts';

test.each([
  ['198.51.100.77', '198.51.100.77', '198.51.100.0'],
  ['::ffff:198.51.100.77', '198.51.100.77', '198.51.100.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['fe80::1%eth0', 'fe80::1', 'fe80::'],
  // Some proxies add the port of the connection.
  ['203.0.113.7:4711', '203.0.113.7', '203.0.113.0'],
  ['[2001:db8::7]:4711', '2001:db8::7', '2001:db8::'],
  ['[2001:db8::7]', '2001:db8::7', '2001:db8::'],
])('%s is logged as %s, truncated as %s, and one visitor', (given, full, truncated) => {
  expect(loggedAddress(given, 'full')).toBe(full);
  expect(loggedAddress(given, 'truncated')).toBe(truncated);
  expect(loggedAddress(given, 'none')).toBeNull();
  expect(rateLimitKey(given)).toBe(rateLimitKey(full));
});

test('two addresses of one IPv6 /56 have the same key in any spelling', () => {
  expect(rateLimitKey('2001:db8:0:12ff::1')).toBe(rateLimitKey('2001:DB8:0:1200:a:b:c:d'));
  expect(rateLimitKey('2001:db8:0:1300::1')).not.toBe(rateLimitKey('2001:db8:0:1200::1'));
});

test.each(['unknown', '_hidden', '203.0.113.7.8', 'a'.repeat(5000), ''])(
  'a text that is no address, such as %s, is not logged, and shares one key',
  (text) => {
    for (const policy of ['full', 'truncated'] as const)
      expect(loggedAddress(text, policy)).toBeNull();
    expect(rateLimitKey(text)).toBe('none');
  },
);
