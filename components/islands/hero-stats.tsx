import { useWords } from '#components/language.tsx';
import { useStats } from '#components/queries/use-stats.ts';
import { ISLANDS } from '#words/islands.ts';

/** A small number would discourage visitors. */
const LEAST_SHOWN = 500;

/**
 * Shows in one sentence how often the buttons were pressed, once the number is high enough to mean something. Its place
 * (pages/index/hero.tsx) is empty ground in any case, so that nothing moves when it appears.
 */
export function HeroStats() {
  const words = useWords(ISLANDS)['hero-stats'];
  const { data } = useStats();
  const total = data?.clicks.total ?? 0;
  return total >= LEAST_SHOWN ? <p>{words.pressed(total)}</p> : null;
}
