import { expect, test } from 'vitest';
import { inflesz } from './inflesz.ts';

test('a text for children is very easy, and one for lawyers is very hard', () => {
  const easy = inflesz(['El gato come pan. El pan es de Ana. Ana ve al gato.']);
  const hard = inflesz([
    'La responsabilidad extracontractual derivada del incumplimiento de obligaciones administrativas determina indemnizaciones proporcionales al perjuicio ocasionado.',
  ]);
  expect(easy.ease).toBeGreaterThan(80);
  expect(easy.wordsPerSentence).toBe(13 / 3);
  expect(hard.ease).toBeLessThan(40);
});
