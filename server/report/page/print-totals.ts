/** How complete the figures are, and the totals. */
import { isSmall } from '../hide-small.ts';
import { change, changeOfRate, NOTHING, rate, whole } from '../numbers.ts';
import type { Report } from '../report.ts';
import type { Links } from './addresses.ts';
import { colored, count, spokenRate, UNDER } from './words.ts';

/** Events for PostHog seldom wait so long. */
const BEHIND_MS = 5 * 60 * 1000;
const OF_ROWS = '<span class="vh"> as CSV</span>';
const HIDDEN =
  'Small figures are hidden: from 1 to 10 they read “under 11”, and larger ones that would give them away read “hidden”.';
const DASH =
  '<svg class="up" viewBox="0 0 12 20" aria-hidden="true"><rect x="1" y="1" width="10" height="18" rx="5"/></svg>';
const HALVES =
  '<svg class="dn" viewBox="0 0 12 20" aria-hidden="true"><path d="M1 8V6a5 5 0 0 1 10 0V8zM1 12H11V14a5 5 0 0 1-10 0z"/></svg>';

export function completeness({ question, now, posthog }: Report, links: Links): string {
  if (question.isShared) return `<p class="ok">${HIDDEN}</p>`;
  const isBehind = (posthog?.oldestMs ?? 0) > BEHIND_MS;
  const lost = `${now.lost > 0 ? 'at least ' : ''}${whole(now.lost)}\u00a0proven lost by\u00a0`;
  const clicks = links.to(
    { by: 'rows' },
    `${count(now.clicks, 'click')}${OF_ROWS}`,
    '',
    'report.csv',
  );
  const gaps = links.hasLinks ? '<a href="#gaps">gaps</a>' : 'gaps';
  return `<p class="ok">${now.lost > 0 || isBehind ? HALVES : DASH}<span><b>${clicks}</b>; ${lost}${gaps}${posthog ? `; PostHog ${missingInWords(posthog, isBehind)}` : ''}</span></p>`;
}

function missingInWords(
  { waiting, oldestMs, withheld }: NonNullable<Report['posthog']>,
  isBehind: boolean,
): string {
  const others = withheld > 0 ? `${whole(withheld)}\u00a0private ones` : '';
  if (waiting === 0) return `has all${others && ` but\u00a0${others}`}`;
  const age = oldestMs === null ? '' : `, oldest\u00a0${ageInWords(oldestMs / 1000)}`;
  const never = others && `, and never gets\u00a0${others}`;
  return `${isBehind ? 'is behind by' : 'has all but'}\u00a0${whole(waiting)}${age}${never}`;
}

function ageInWords(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)}\u00a0s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}\u00a0min`;
  return `${whole(Math.floor(seconds / 3600))}\u00a0h`;
}

export function totals(report: Report, links: Links): string {
  const { now, before, question } = report;
  const total = (name: string, figure: string, difference: string, earlier: string) => {
    const from = difference === NOTHING ? 'before:' : `${colored('b', difference)} from`;
    const compared = question.isShared ? '' : `<dd>${from} ${earlier}</dd>`;
    return `<div><dt>${name}</dt><dd class="big">${figure}</dd>${compared}</div>`;
  };
  const counted = (name: string, n: number, earlier: number) => {
    const figure = question.isShared && isSmall(n) ? UNDER : whole(n);
    return total(name, figure, change(n, earlier), whole(earlier));
  };
  const rates = [spokenRate(now), changeOfRate(now, before), rate(before)] as const;
  return `<h2 class="vh">Totals</h2>
<div class="sum"><dl class="tot">
${counted('Visits', now.visits, before.visits)}
${counted('Clicks', now.clicks, before.clicks)}
${question.isShared ? '' : total('Clicks per 100 visits', ...rates)}
${report.hasRegistrations ? counted('Registrations', now.registrations, before.registrations) : ''}
</dl>${links.downloads('total', 'the totals')}</div>`;
}
