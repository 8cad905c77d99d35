import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILM_SECONDS } from '#words/en/film-script.ts';

const film = readFileSync('public/video/film.mp4');
/** An MP4 file is a list of boxes: the length, then a name of four letters. */
const HEADER_BYTES = 8;

test.each([
  ['film.mp4', 2_000_000],
  ['film.vtt', 4_000],
  ['film-es.vtt', 4_000],
  ['poster.svg', 10_000],
])('%s has at most %i bytes', (file, bytes) => {
  expect(statSync(`public/video/${file}`).size).toBeLessThanOrEqual(bytes);
});

test('the index is before the frames, so that playback starts at once', () => {
  const names = boxes(film).map(({ name }) => name);
  expect(names).toContain('mdat');
  expect(names.indexOf('moov')).toBeLessThan(names.indexOf('mdat'));
});

test('the film has the length of its script', () => {
  const { body } = find(find(film, 'moov').body, 'mvhd');
  // Version 0: flags, two dates, the units per second, and the length in these units.
  expect(body.readUInt8(0)).toBe(0);
  expect(body.readUInt32BE(16) / body.readUInt32BE(12)).toBeCloseTo(FILM_SECONDS, 1);
});

test('the film is H.264 without sound, which every browser plays', () => {
  const moov = find(film, 'moov').body;
  expect(moov.includes('avc1')).toBe(true);
  expect(boxes(moov).filter(({ name }) => name === 'trak')).toHaveLength(1);
});

function find(bytes: Buffer, wanted: string) {
  const box = boxes(bytes).find(({ name }) => name === wanted);
  if (!box) throw new Error(`the film has no ${wanted} box`);
  return box;
}

function boxes(bytes: Buffer): { name: string; body: Buffer }[] {
  const found = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const length = Math.max(HEADER_BYTES, bytes.readUInt32BE(at));
    const name = bytes.toString('latin1', at + 4, at + HEADER_BYTES);
    found.push({ name, body: bytes.subarray(at + HEADER_BYTES, at + length) });
    at += length;
  }
  return found;
}
