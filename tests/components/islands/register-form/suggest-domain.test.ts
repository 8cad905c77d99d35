import { expect, test } from 'vitest';
import { suggestDomain } from '../../../../components/islands/register-form/suggest-domain.ts';

const LEFT = [
  ['ana@gmial.com', 'gmail.com'],
  ['ana@gmail.con', 'gmail.com'],
  ['ana@gmail.co', 'gmail.com'],
  ['ana@gmail.cm', 'gmail.com'],
  ['ana@gmailcom', 'gmail.com'],
  ['ana@gmail.com.', 'gmail.com'],
  ['ana@gmaill.com', 'gmail.com'],
  [' Ana@GNAIL.com ', 'gmail.com'],
  ['ana@hotmial.com', 'hotmail.com'],
  ['ana@homail.com', 'hotmail.com'],
  ['ana@hotmail.cmo', 'hotmail.com'],
  ['ana@yaho.com', 'yahoo.com'],
  ['ana@yahoo.com.', 'yahoo.com'],
  ['ana@outlok.com', 'outlook.com'],
  ['ana@iclould.com', 'icloud.com'],
  ['ana@comcast.ner', 'comcast.net'],
  ['ana@sbcgloba.net', 'sbcglobal.net'],
  ['ana@hotmail.e', 'hotmail.es'],
  ['ana@bo@gmial.com', 'gmail.com'],
  // Right domains, others, and what is no address.
  ['ana@gmail.com', null],
  ['ana@GMAIL.com', null],
  ['ana@hotmail.es', null],
  ['ana@mail.com', null],
  ['ana@ymail.com', null],
  ['ana@yahoo.com.mx', null],
  ['ana@hotmail.co.uk', null],
  ['ana@hotmail.se', null],
  ['ana@example.org', null],
  ['ana@aok.com', null],
  ['ana@gmial.con', null],
  ['gmial.com', null],
  ['ana@', null],
  ['', null],
] as const;

test.each(LEFT)('asks about %j: %j', (address, domain) => {
  expect(suggestDomain(address, false)).toBe(domain);
});

test('asks about no address that more letters may complete, while it is typed', () => {
  for (const whole of ['ana@gmail.com', 'ana@hotmail.es', 'ana@sbcglobal.net'])
    for (let length = 0; length <= whole.length; length += 1)
      expect(suggestDomain(whole.slice(0, length), true)).toBe(null);
  expect(suggestDomain('ana@gmail.con', true)).toBe('gmail.com');
});
