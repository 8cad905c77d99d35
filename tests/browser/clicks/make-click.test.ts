import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeClick } from '#browser/clicks/make-click.ts';
import { readClick } from '#browser/clicks/read-click.ts';
import { clickSchema } from '#contract/click-fields.schema.ts';

const ID = '0199f2f0-0000-7000-8000-000000000000';
const page = {
  ref: 'clinic-7',
  pageUrl: 'https://sma.example/?ref=clinic-7',
  visitId: ID,
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)',
  facts: {
    campaign: { utm_source: 'cure-sma' },
    referring_domain: 'www.google.com',
    screen_class: 'small' as const,
  },
};

test('a click has the fields of the contract', () => {
  const click = makeClick('hero_cta_click', page, 2, 0, ID);
  expect(clickSchema.strict().parse(click)).toEqual(click);
  expect(click).toMatchObject({
    id: ID,
    visit_id: ID,
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    ip: null,
    timestamp: '1970-01-01T00:00:00.000Z',
    page_url: 'https://sma.example/?ref=clinic-7',
    user_agent: page.userAgent,
    is_mobile: true,
    ...page.facts,
    seq: 2,
  });
});

test.each([
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)', true],
  ['Mozilla/5.0 (iPod touch)', true],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9)', true],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', false],
  ['', false],
])('is_mobile of "%s" is %s', (userAgent, isMobile) => {
  const click = makeClick('lower_cta_click', { ...page, userAgent }, 1, 0, ID);
  expect(click.is_mobile).toBe(isMobile);
});

test('no page makes a click that the server or the outbox refuses', () => {
  fc.assert(
    fc.property(
      fc.webUrl(),
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc.integer({ min: 0, max: 4e12 }),
      (pageUrl, userAgent, now) => {
        const click = makeClick('hero_cta_click', { ...page, pageUrl, userAgent }, 1, now, ID);
        expect(clickSchema.safeParse(click).error).toBeUndefined();
        expect(readClick(ID, JSON.stringify(click))).toEqual(click);
      },
    ),
  );
});
