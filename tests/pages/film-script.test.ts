import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FILM_SECONDS, SCENES, type Scene } from '#words/en/film-script.ts';
import { SPANISH_SCENES } from '#words/es/film-script.ts';
import { readingLevel } from '../helpers/browser/reading-level.ts';

const scenes: readonly Scene[] = SCENES;
const captions = scenes.flatMap((scene) => scene.captions);
const inEveryLanguage = [...scenes, ...SPANISH_SCENES];

test('the committed captions are equal to those of the scripts', () => {
  expect(readFileSync('public/video/film.vtt', 'utf8')).toBe(captionsOf(scenes));
  expect(readFileSync('public/video/film-es.vtt', 'utf8')).toBe(captionsOf(SPANISH_SCENES));
});

/** The captions as WebVTT: one cue per caption, named after its scene. The film is shorter than a minute. */
function captionsOf(scenes: readonly Scene[]): string {
  const clock = (seconds: number) => `00:${seconds.toFixed(3).padStart(6, '0')}`;
  const cues = scenes.flatMap(({ name, captions }) =>
    captions.map(
      ({ from, to, text }, i) => `${name}-${i + 1}\n${clock(from)} --> ${clock(to)}\n${text}\n`,
    ),
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

test('the scenes follow each other without a gap, to the film’s end', () => {
  expect(scenes.map(({ start }) => start)).toEqual([
    0,
    ...scenes.slice(0, -1).map(({ end }) => end),
  ]);
  expect(scenes.at(-1)?.end).toBe(FILM_SECONDS);
});

describe.each(inEveryLanguage)('scene $name', (scene) => {
  test('has captions, each inside the scene and after the previous one', () => {
    const times = scene.captions.flatMap(({ from, to }) => [from, to]);
    expect(times.length).toBeGreaterThan(0);
    expect([scene.start, ...times, scene.end]).toEqual(
      [scene.start, ...times, scene.end].toSorted((a, b) => a - b),
    );
  });
});

describe.each(inEveryLanguage.flatMap((scene) => scene.captions))(
  'caption "$text"',
  ({ from, to, text }) => {
    test('is visible long enough: at most 17 characters a second, and at least two seconds', () => {
      expect(text.length / (to - from)).toBeLessThanOrEqual(17);
      expect(to - from).toBeGreaterThanOrEqual(2);
    });

    test('has at most two lines of 42 characters', () => {
      const lines = text.split('\n');
      expect(lines.length).toBeLessThanOrEqual(2);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(42);
    });
  },
);

test('the captions have grade 6 or below (Flesch–Kincaid)', () => {
  expect(readingLevel(captions.map(({ text }) => text)).grade).toBeLessThanOrEqual(6);
  expect(readingLevel(scenes.map(({ seen }) => seen)).grade).toBeLessThanOrEqual(6);
});
