import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILM_SECONDS } from '../../../pages/index/film-script.ts';

const film = readFileSync('public/video/film.mp4');
/** MP4: the length of each box, then four letters that name it. */
const HEADER_BYTES = 8;

test.each([
  ['film.mp4', 2_000_000],
  ['film.vtt', 4_000],
  ['poster.svg', 25_000],
])('%s has at most %i bytes', (file, bytes) => {
  expect(statSync(`public/video/${file}`).size).toBeLessThanOrEqual(bytes);
});

test('the index stands before the pictures, so that playing starts at once', () => {
  const names = boxes(film).map(({ name }) => name);
  expect(names).toContain('mdat');
  expect(names.indexOf('moov')).toBeLessThan(names.indexOf('mdat'));
});

test('it lasts as long as the script says', () => {
  const { body } = find(find(film, 'moov').body, 'mvhd');
  // Version 0: flags, two dates, then the units per second and the length in them.
  expect(body.readUInt8(0)).toBe(0);
  expect(body.readUInt32BE(16) / body.readUInt32BE(12)).toBeCloseTo(FILM_SECONDS, 1);
});

test('it is H.264 and silent, which every browser plays', () => {
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
