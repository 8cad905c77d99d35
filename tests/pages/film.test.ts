/** The film's files, its captions, and its page in words: the film is silent, so visitors read it. */
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import { HELP } from '#words/help.ts';
import { readingLevel } from '../helpers/browser/reading-level.ts';
import { textOf } from '../helpers/run/built-pages.ts';

/** The seconds at which the scenes of public/video/film.mp4 end. */
const ENDS = {
  scattered: 9,
  carried: 15.5,
  gathered: 23.5,
  connect: 29.5,
  insight: 36,
  research: 42.5,
  privacy: 48.5,
  closing: 55,
};
const FILES = { en: 'public/video/film.vtt', es: 'public/video/film-es.vtt' };
/** A caption is named after its scene: "scattered-1". The film is shorter than a minute. */
const CUE = /^([a-z]+)-(\d)\n00:(\d\d\.\d{3}) --> 00:(\d\d\.\d{3})\n(.*?)\n$/gms;

const captionsIn = (language: keyof typeof FILES) =>
  [...`${readFileSync(FILES[language], 'utf8')}\n`.matchAll(CUE)].map(
    ([, scene = '', number = '', from, to, text = '']) => ({
      ...{ scene, number, text },
      ...{ from: Number(from), to: Number(to) },
    }),
  );

test.each([
  ['film.mp4', 2_000_000],
  ['film.vtt', 4_000],
  ['film-es.vtt', 4_000],
  ['poster.svg', 10_000],
])('%s has at most %i bytes', (file, bytes) => {
  expect(statSync(`public/video/${file}`).size).toBeLessThanOrEqual(bytes);
});

test('the film is H.264 without sound, as long as its captions say, and starts at once', () => {
  const film = readFileSync('public/video/film.mp4');
  const index = film.indexOf('moov');
  expect(index).toBeGreaterThan(0);
  // The index is before the frames.
  expect(index).toBeLessThan(film.indexOf('mdat'));
  expect(film.indexOf('avc1', index)).toBeGreaterThan(0);
  expect(film.includes('mp4a')).toBe(false);
  // After the name: version and flags, two dates, the units per second, and the length in these units.
  const header = film.indexOf('mvhd') + 4;
  expect(film.readUInt8(header)).toBe(0);
  const seconds = film.readUInt32BE(header + 16) / film.readUInt32BE(header + 12);
  expect(seconds).toBeCloseTo(ENDS.closing, 1);
});

describe.each(LANGUAGES)('in the language "%s"', (language) => {
  const captions = captionsIn(language);
  const { sections } = HELP.film[language];

  test('the page in words has every scene with its captions, and describes the picture', () => {
    expect(captions.length).toBeGreaterThan(15);
    const scenes = Map.groupBy(captions, ({ scene }) => scene);
    expect([...scenes.keys()]).toEqual(Object.keys(ENDS));
    expect(sections.map(({ anchor }) => anchor)).toEqual(Object.keys(ENDS));
    for (const { anchor = '', html } of sections) {
      const said = scenes.get(anchor)?.map(({ text }) => text.replace('\n', ' ')) ?? [];
      expect(textOf(html).split('\n')[0]).toBe(said.join(' '));
      expect(html).toMatch(/<p><strong>(?:Picture|Imagen):<\/strong> .{40}/);
    }
  });

  test('the captions follow each other, each inside its scene', () => {
    const times = Object.entries(ENDS).flatMap(([name, end]) => {
      const own = captions.filter(({ scene }) => scene === name);
      return [...own.flatMap(({ from, to }) => [from, to]), end];
    });
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('each caption is visible long enough: at most 17 characters a second, and at least two seconds', () => {
    for (const { text, from, to } of captions) {
      expect(text.length / (to - from), text).toBeLessThanOrEqual(17);
      expect(to - from, text).toBeGreaterThanOrEqual(2);
    }
  });

  test('each caption has at most two lines of 42 characters', () => {
    for (const { text } of captions) {
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
