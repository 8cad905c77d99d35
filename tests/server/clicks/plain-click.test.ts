import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clickSchema } from '#contract/log-cta.schema.ts';
import { isPlainClick } from '../../../server/clicks/plain-click.ts';
import { clickAt } from '../../helpers/fakes/clicks.ts';
import { makeBody } from '../../helpers/server/server-app.ts';
import { anyBody } from '../../helpers/server/server-bodies.ts';

const hostPart = fc.oneof(
  fc.domain(),
  fc.stringMatching(/^[a-z0-9.-]{1,12}$/),
  fc.constantFrom(
    'localhost',
    'localhost:3000',
    'xn--zrich-kva.ch',
    'a.1',
    '0x7f',
    'a..b',
    '[::1]',
  ),
);
const pageUrl = fc
  .tuple(fc.constantFrom('http://', 'https://', 'HTTPS://', 'ftp://', ''), hostPart, fc.webPath())
  .map((parts) => parts.join(''));
const twoDigits = fc.integer({ min: 0, max: 60 }).map((n) => String(n).padStart(2, '0'));
const time = fc
  .tuple(fc.constantFrom('2026', '2024', '1900'), twoDigits, twoDigits, twoDigits)
  .map(([year, month, day, hour]) => `${year}-${month}-${day}T${hour}:00:00.000Z`);
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid({ version: 7 }).map((id) => id.toUpperCase()),
);
const halfCharacter = fc.constantFrom('\ud800', 'x\udc00x');
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('x'.repeat(129)), halfCharacter);

const nearlyRight = fc
  .record(
    {
      referrer: fc.oneof(text, fc.constant(null)),
      ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom(null, '01.2.3.4', '::1%eth0')),
      timestamp: time,
      page_url: pageUrl,
      user_agent: text,
      is_mobile: fc.constantFrom(true, false, 'true'),
      id: uuid,
      visit_id: uuid,
      sent_at: time,
      dropped: fc.constantFrom(0, 1),
      other: text,
    },
    { requiredKeys: [] },
  )
  .map(makeBody);

/** Right but for their text, so that nothing else keeps them from the short way. */
const strangelyWorded = fc.record({ referrer: text, user_agent: text }).map(makeBody);

test('whatever it takes, the schema takes too, and changes nothing', () => {
  const check = (body: unknown) => {
    if (!isPlainClick(body)) return;
    const parsed = clickSchema.parse(body);
    expect(parsed).toEqual(
      Object.fromEntries(Object.keys(parsed).map((key) => [key, body[key as keyof typeof body]])),
    );
    const known = Object.keys(clickSchema.shape).filter((key) => Object.hasOwn(body, key));
    expect(Object.keys(parsed).sort()).toEqual(known.sort());
  };
  fc.assert(fc.property(nearlyRight, check), { numRuns: 20_000 });
  fc.assert(fc.property(anyBody, check), { numRuns: 2000 });
  fc.assert(fc.property(strangelyWorded, check), { numRuns: 1000 });
});

test('it takes the clicks that our own page sends', () => {
  const click = clickAt(Date.UTC(2026, 0, 31, 9, 30));
  const sent = { ...click, ip: '203.0.113.7', sent_at: click.timestamp };
  expect(isPlainClick(JSON.parse(JSON.stringify(sent)))).toBe(true);
  expect(isPlainClick(JSON.parse(JSON.stringify({ ...sent, ip: null })))).toBe(true);
});
