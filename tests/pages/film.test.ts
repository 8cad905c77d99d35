/** The film's captions, and its page in words: the film is silent, so visitors read it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import { HELP } from '#words/help.ts';
import { textOf } from '../helpers/words/page-text.ts';
import { readingLevel } from '../helpers/words/reading-level.ts';

const SCENES = 'scattered carried gathered connect insight research privacy closing'.split(' ');
const FILES = { en: 'public/video/film.vtt', es: 'public/video/film-es.vtt' };
/** The title cards that each film shows, in the order of the scenes. */
const CARDS = {
  en: [
    'Many records',
    'No one sees it all',
    'One road forward',
    'Connect your records',
    'Get personalized insights',
    'Drive research forward',
    'You choose what to share',
    'Ready to drive change?',
  ],
  es: [
    'Muchos expedientes',
    'Nadie ve el conjunto',
    'Un solo camino',
    'Reúna sus expedientes',
    'Reciba información pensada para usted',
    'Impulse la investigación',
    'Usted elige qué compartir',
    '¿Quiere impulsar el cambio?',
  ],
};
/** A caption is named after its scene: "scattered-1". The film is shorter than a minute. */
const CUE = /^([a-z]+)-(\d)\n00:(\d\d\.\d{3}) --> 00:(\d\d\.\d{3})\n(.*?)\n$/gms;

const captionsIn = (language: keyof typeof FILES) =>
  [...`${readFileSync(FILES[language], 'utf8')}\n`.matchAll(CUE)].map(
    ([, scene = '', number = '', from, to, text = '']) => ({
      scene,
      number,
      text,
      from: Number(from),
      to: Number(to),
    }),
  );

describe.each(LANGUAGES)('in the language "%s"', (language) => {
  const captions = captionsIn(language);
  const { sections } = HELP.film[language];

  test('the page in words has the film’s title cards as its headings', () => {
    expect(sections.map(({ heading }) => heading)).toEqual(CARDS[language]);
  });

  test('the page in words has every scene with its captions, and describes the picture', () => {
    expect(captions.length).toBeGreaterThan(15);
    const scenes = Map.groupBy(captions, ({ scene }) => scene);
    expect([...scenes.keys()]).toEqual(SCENES);
    expect(sections.map(({ anchor }) => anchor)).toEqual(SCENES);
    for (const { anchor = '', html } of sections) {
      const said = scenes.get(anchor)?.map(({ text }) => text.replace('\n', ' ')) ?? [];
      expect(textOf(html).split('\n')[0]).toBe(said.join(' '));
      expect(html).toMatch(/<p><strong>(?:Picture|Imagen):<\/strong> .{40}/);
    }
  });

  test('the captions follow each other, and each is long enough for its two lines of 42 characters', () => {
    const times = captions.flatMap(({ from, to }) => [from, to]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { text, from, to } of captions) {
      // At most 17 characters a second, and at least two seconds.
      expect(to - from, text).toBeGreaterThanOrEqual(Math.max(2, text.length / 17));
      const lines = text.split('\n');
      expect(lines.length, text).toBeLessThanOrEqual(2);
      expect(Math.max(...lines.map(({ length }) => length)), text).toBeLessThanOrEqual(42);
    }
  });
});

test('the captions and the descriptions have grade 6 or below (Flesch–Kincaid)', () => {
  const paragraphs = HELP.film.en.sections.map(({ html }) => textOf(html).split(/\n+/));
  expect(readingLevel(paragraphs.map(([said = '']) => said)).grade).toBeLessThanOrEqual(6);
  const seen = paragraphs.map(([, text = '']) => text.replace('Picture: ', ''));
  expect(readingLevel(seen).grade).toBeLessThanOrEqual(6);
});
