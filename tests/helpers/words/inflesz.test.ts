import { expect, test } from 'vitest';
import { inflesz, spanishSyllables } from './inflesz.ts';

test('a text for children is very easy, and one for lawyers is very hard', () => {
  const easy = inflesz(['El gato come pan. El pan es de Ana. Ana ve al gato.']);
  const hard = inflesz([
    'La responsabilidad extracontractual derivada del incumplimiento de obligaciones administrativas determina indemnizaciones proporcionales al perjuicio ocasionado.',
  ]);
  expect(easy.ease).toBeGreaterThan(80);
  expect(easy.wordsPerSentence).toBe(13 / 3);
  expect(hard.ease).toBeLessThan(40);
});

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
