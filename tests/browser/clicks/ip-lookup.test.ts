import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validIp } from '#browser/clicks/ip-lookup.ts';
import { clickSchema } from '#contract/click-fields.schema.ts';

describe('validIp', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:203.0.113.7', '::ffff:cb00:7107'],
    ['256.1.1.1', null],
    ['1.2.3', null],
    ['1.2.3.4.', null],
    ['2001:db8::zz', null],
    ['fe80::1%eth0', null],
    ['<html>', null],
    ['', null],
    [42, null],
    [null, null],
    [{ ip: '203.0.113.7' }, null],
  ])('%j is %j', (value, ip) => {
    expect(validIp(value)).toBe(ip);
  });

  test('the server accepts every address that passes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.jsonValue()), (value) => {
        expect(clickSchema.shape.ip.safeParse(validIp(value)).success).toBe(true);
      }),
    );
  });
});
