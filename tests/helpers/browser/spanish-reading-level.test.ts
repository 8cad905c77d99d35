import { expect, test } from 'vitest';
import { spanishReadingLevel, spanishSyllables } from './spanish-reading-level.ts';

test.each([
  ['y', 1],
  ['hoy', 1],
  ['mayo', 2],
  ['que', 1],
  ['guía', 2],
  ['bilingüe', 3],
  ['país', 2],
  ['leer', 2],
  ['cuidado', 3],
  ['investigación', 5],
  ['enfermedades', 5],
  ['AME', 2],
  ['EE', 2],
  ['2026', 1],
])('"%s" has %i syllables', (word, count) => {
  expect(spanishSyllables(word)).toBe(count);
});

test('short sentences of short words read more easily than a long one', () => {
  const easy = spanishReadingLevel(['Usted elige. Puede parar cuando quiera.']);
  const hard = spanishReadingLevel([
    'La participación voluntaria en investigaciones epidemiológicas requiere consentimiento informado, documentado y revocable según la normativa aplicable.',
  ]);
  expect(easy).toMatchObject({ words: 6, wordsPerSentence: 3 });
  expect(easy.score).toBeGreaterThan(60);
  expect(hard.score).toBeLessThan(40);
});
