import { splitPath } from '#contract/language.ts';
import { ISLANDS } from '#words/islands.ts';
import { pollStats } from './queries/poll-stats.ts';

/** A small number would discourage visitors. */
const LEAST_SHOWN = 500;

/**
 * Keeps one sentence in the hero up to date: how often the buttons were pressed, once the number is
 * high enough to mean something. Its place (pages/index/hero.tsx) is empty ground in any case, so
 * that nothing moves when it appears.
 */
export function showHeroStats(place: HTMLElement): void {
  const words = ISLANDS[splitPath(location.pathname).language]['hero-stats'];
  pollStats((total) => {
    place.textContent = total >= LEAST_SHOWN ? words.pressed(total) : '';
  });
  place.dataset.ready = '';
}
