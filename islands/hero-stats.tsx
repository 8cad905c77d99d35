import { site } from 'virtual:site';
import { useStats } from '#queries/use-stats.ts';

/**
 * One quiet sentence, once enough people have pressed a button for it to mean something. Its place is kept in the
 * layout from the start, so that nothing moves when it comes.
 */
export function HeroStats() {
  const { data } = useStats();
  const total = data?.clicks.total ?? 0;
  return (
    <div className="min-h-[2lh] sm:min-h-lh">
      {total >= site.statsThreshold && (
        <p>The button has been pressed {total.toLocaleString('en-US')} times so far.</p>
      )}
    </div>
  );
}
