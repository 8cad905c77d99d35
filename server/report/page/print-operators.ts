/** Folded parts: for those who run the server, and for those who ask how a figure is counted. */
import { whole } from '../numbers.ts';
import type { Report } from '../report.ts';
import { count, placeOf } from './words.ts';

export function operators({ now, clockChange }: Report): string {
  const { byWay, privateClicks, lost, pending } = now;
  const ways = [byWay.fetch, byWay.beacon, byWay.ping].map((n = 0) => whole(n));
  const pings = now.clicks - now.rated - privateClicks;
  const mayCome = pending > 0 ? ` ${count(pending, 'number')} missing may still come.` : '';
  return `<details class="ops"${lost > 0 ? ' open' : ''}><summary>For operators: robots, gaps, ways of delivery, internal visits</summary>
<dl>
${fact('Robots', `${count(now.robotClicks, 'click')} and ${count(now.robotVisits, 'visit')}. They are marked and counted nowhere.`)}
${fact('Gaps', `${count(lost, 'click')} proven lost.${mayCome}`, ' id="gaps"')}
${fact('Ways of delivery', `${ways[0]} while the page was open, ${ways[1]} as it closed, ${ways[2]} by ping without script. ${whole(now.late)} of them came on a later try.`)}
${fact('Internal visits', `${count(now.internalVisits, 'visit')} and ${count(now.internalClicks, 'click')} by your own team. They are counted nowhere.`)}
${fact('Clicks without a known visit', `${whole(privateClicks)} with Global Privacy Control or Do Not Track, ${whole(pings)} by ping.`)}
${clockChange ? fact('Clock', clockChange) : ''}
</dl></details>`;
}

/** @param attributes an address for a link: browsers open the folded part around it */
const fact = (name: string, says: string, attributes = '') =>
  `<div><dt${attributes}>${name}</dt><dd>${says}</dd></div>`;

export const howCounted = (timeZone: string): string =>
  `<details><summary>How each figure is counted</summary>
<p>A visit is one page load, and a click is one press of a call to action. Robots and your own team count nowhere. Clicks per 100 visits leaves out clicks without a known visit: with Global Privacy Control or Do Not Track, or by ping. Below 30 visits there is no rate.</p>
<p>A change is in whole percent, and of a rate in points. Below 20 clicks before it is the difference; from 0 it is “new”. The period before has the same length and ends at the same time of day.</p>
<p>A click is proven lost if its number is missing between others of its visit and can no longer come, or if its browser reports it as dropped. Days are those of ${placeOf(timeZone)}; the day of a clock change has 23 or 25 hours.</p>
</details>`;
