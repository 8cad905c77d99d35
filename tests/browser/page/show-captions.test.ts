import { expect, test } from 'vitest';
import { showCaptions } from '#browser/page/show-captions.ts';

const makeFilm = (textTracks: { mode: string }[]) =>
  Object.assign(new EventTarget(), { textTracks });

test('shows the first captions once the film has loaded, and no others', () => {
  const film = makeFilm([{ mode: 'disabled' }, { mode: 'disabled' }]);
  const modes = () => film.textTracks.map(({ mode }) => mode);
  showCaptions(film as never);
  expect(modes()).toEqual(['disabled', 'disabled']);
  film.dispatchEvent(new Event('loadeddata'));
  expect(modes()).toEqual(['showing', 'disabled']);
});

test('leaves the choice of a visitor who has switched the captions off', () => {
  const film = makeFilm([{ mode: 'disabled' }]);
  showCaptions(film as never);
  film.dispatchEvent(new Event('loadeddata'));
  film.textTracks = [{ mode: 'hidden' }];
  film.dispatchEvent(new Event('loadeddata'));
  expect(film.textTracks).toEqual([{ mode: 'hidden' }]);
});

test('a page without a film has nothing to show', () => {
  expect(() => showCaptions(null)).not.toThrow();
});
