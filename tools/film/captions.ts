import type { Scene } from '#words/en/film-script.ts';

/** @returns the captions as WebVTT, one cue per caption, named after its scene */
export function makeCaptions(scenes: readonly Scene[]): string {
  const cues = scenes.flatMap(({ name, captions }) =>
    captions.map(
      ({ from, to, text }, i) => `${name}-${i + 1}\n${clock(from)} --> ${clock(to)}\n${text}\n`,
    ),
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

function clock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const pad = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0');
  return `${pad(milliseconds / 60_000)}:${pad((milliseconds / 1000) % 60)}.${pad(milliseconds % 1000, 3)}`;
}
