import { pageLanguage } from '#browser/page-language.ts';
import { ISLANDS } from '#words/islands.ts';
import { pollStats } from './queries/poll-stats.ts';

/** Below this number of clicks the hero shows no sentence: few clicks would discourage visitors. */
const LEAST_SHOWN = 500;

/**
 * Shows in the hero how often the calls to action were pressed, and updates that sentence.
 *
 * @param element `[data-stats]` of pages/index/hero.tsx. It is in a part of the layout that is
 * always free, so that the sentence moves nothing
 */
export function showHeroStats(element: HTMLElement): void {
  const words = ISLANDS[pageLanguage()]['hero-stats'];
  pollStats((total) => {
    element.textContent = total >= LEAST_SHOWN ? words.pressed(total) : '';
  });
  element.dataset.ready = '';
}
