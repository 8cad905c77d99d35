import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldCampaign } from '#contract/campaign.ts';
import { clickSchema } from '#contract/click-fields.schema.ts';
import { readQuery, readRef, refKey } from '#contract/ref.ts';

describe('readRef', () => {
  test.each([
    ['', null],
    ['?other=1', null],
    ['?ref=', null],
    ['?ref=%20%09%0A', null],
    ['?ref=clinic-7', 'clinic-7'],
    ['?ref=first&ref=second', 'first'],
    ['?ref=<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['?ref=a%0D%0Ab', 'ab'],
    ['?ref=%00x', 'x'],
    ['?ref=%ED%A0%80x', '\uFFFD\uFFFD\uFFFDx'],
    [`?ref=${'a'.repeat(10_240)}`, 'a'.repeat(128)],
    [`?ref=${'a'.repeat(127)}${encodeURIComponent('😀')}`, 'a'.repeat(127)],
  ])('%s', (search, ref) => {
    expect(readRef(readQuery(search))).toBe(ref);
  });

  test('the log accepts the ref of any URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (raw) => {
        const ref = readRef(readQuery(`?${new URLSearchParams({ ref: raw })}`));
        expect(clickSchema.shape.referrer.safeParse(ref).success).toBe(true);
        expect(ref === null || ref.isWellFormed()).toBe(true);
      }),
    );
  });
});

/** Texts of the signs that the two readings treat in their own way. */
const odd = fc.string({
  unit: fc.constantFrom(
    ...'aE7ß٣ı',
    ...['İ', 'Σ', '\u0301', '\u2013', '\u200b', '😀', '&gt;', '&#64;', '&#x2d;'],
    ...'?&=%25;.-+@() "*<_/#',
  ),
  maxLength: 128,
});

test.each([
  ['the key of a ref', (text: string) => refKey(text) ?? ''],
  ['a folded value of a campaign', foldCampaign],
])('%s stays as it is, so that a filter and an import find its rows', (_, read) => {
  fc.assert(
    fc.property(odd, (text) => {
      const once = read(text);
      expect(read(once)).toBe(once);
    }),
    { numRuns: 1000 },
  );
});
