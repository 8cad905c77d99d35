/** How complete the figures are, the totals, and how they come about. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { DAY_MS } from '../../time.ts';
import type { Counts } from '../figures/figures.ts';
import { isSmall } from '../figures/hide-small.ts';
import { NOTHING, totalsOf, whole } from '../figures/numbers.ts';
import type { Report } from '../figures/report.ts';
import { dateOf, type Question } from '../question.ts';
import type { Links } from './addresses.ts';
import {
  countInWords,
  dayInWords,
  placeOf,
  renderChange,
  renderRate,
  timeInWords,
  UNDER_11,
} from './words.ts';

const WEEK_MS = 7 * DAY_MS;
/** Shortest time with a figure a week: six days, and the day that has begun. */
const LEAST_WEEKS = 6 / 7;
/** Age of an event from which on PostHog is called behind. Events seldom wait so long. */
const LEAST_BEHIND_MS = 5 * 60 * 1000;
const HIDDEN_IN_WORDS =
  'Small figures are hidden: from 1 to 10 they read “under 11”, and larger ones that would give them away read “hidden”.';
const SIGN_SIZE = html`width="12" height="20" fill="currentColor" aria-hidden="true"`;
/** A whole dash of the road: the figures are complete. */
const COMPLETE_SIGN = html`<svg class="up" ${SIGN_SIZE}><rect x="1" y="1" width="10" height="18" rx="5"/></svg>`;
/** The dash in two halves: something is missing. */
const MISSING_SIGN = html`<svg class="dn" ${SIGN_SIZE}><path
 d="M1 8V6a5 5 0 0 1 10 0V8zM1 12H11V14a5 5 0 0 1-10 0z"/></svg>`;

export function renderCompleteness(
  { question, now, site, readAt }: Report,
  links: Links,
): SafeHtml {
  if (question.isShared) return html`<p class="ok">${HIDDEN_IN_WORDS}</p>`;
  const { since } = now.waiting;
  const hasPosthog = site.posthogKey !== null;
  const oldestMs = hasPosthog && since !== null ? readAt - since : null;
  const { timeZone } = question;
  const posthog = hasPosthog ? `; PostHog ${missingInWords(now, oldestMs, timeZone)}` : '';
  const isFaulty = now.lost > 0 || (oldestMs ?? 0) > LEAST_BEHIND_MS;
  const lost = `${now.lost > 0 ? 'at least ' : ''}${whole(now.lost)}\u00a0proven lost by\u00a0`;
  const rows = html`${countInWords(now.clicks, 'click')}<span class="vh"> as CSV</span>`;
  const clicks = links.to({ by: 'clicks' }, rows, null, 'report.csv');
  const gaps = links.hasLinks ? html`<a href="#gaps">gaps</a>` : 'gaps';
  const says = html`<b>${clicks}</b>; ${lost}${gaps}${posthog}`;
  return html`<p class="ok">${isFaulty ? MISSING_SIGN : COMPLETE_SIGN}<span>${says}</span></p>`;
}

function missingInWords(figures: Report['now'], oldestMs: number | null, timeZone: string): string {
  const { waiting, marks, beforePosthog } = figures;
  const some = (mark: string, words: string) => {
    const n = marks[mark]?.clicks ?? 0;
    return n > 0 ? [`${whole(n)}\u00a0${words}`] : [];
  };
  const never = some('private', 'private ones');
  // A newer server may know the button, and sends them then. PostHog is asked to delete forgotten
  // ones.
  const lacks = [...some('unknown', 'of unknown buttons'), ...some('forgotten', 'forgotten ones')];
  const { clicks, since } = beforePosthog;
  const day = dayInWords(String(dateOf(since, timeZone)));
  const before = `may lack\u00a0${whole(clicks)} from before ${day}, ${timeInWords(since, timeZone)}`;
  const older = clicks > 0 ? `${before}; since then it ` : '';
  const others = [...never, ...lacks].join(' and ');
  if (waiting.clicks === 0) return `${older}has all${others && ` but\u00a0${others}`}`;
  const age = oldestMs === null ? '' : `, oldest\u00a0${ageInWords(oldestMs / 1000)}`;
  const listed = (verb: string, list: string[]) =>
    list.length > 0 ? `, and ${verb}\u00a0${list.join(' and ')}` : '';
  const more = listed('never gets', never) + listed('lacks', lacks);
  const state = (oldestMs ?? 0) > LEAST_BEHIND_MS ? 'is behind by' : 'has all but';
  return `${older}${state}\u00a0${whole(waiting.clicks)}${age}${more}`;
}

function ageInWords(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)}\u00a0s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}\u00a0min`;
  return `${whole(Math.floor(seconds / 3600))}\u00a0h`;
}

export function renderTotals(report: Report, links: Links): SafeHtml {
  const { isShared } = report.question;
  const shown = totalsOf(report).filter(({ n }) => !isShared || n !== null);
  const parts = shown.map(({ name, n, figure, difference, earlier }) => {
    const from = difference === NOTHING ? 'before:' : html`${renderChange('b', difference)} from`;
    const compared = isShared ? null : html`<dd>${from} ${earlier}</dd>`;
    const said = isShared && n && isSmall(n) ? UNDER_11 : renderRate(figure);
    return html`<div><dt>${name}</dt><dd class="big">${said}</dd>${compared}</div>
`;
  });
  return html`<h2 class="vh">Totals</h2>
<div class="sum"><dl class="tot">
${parts}${renderGoal(report)}
</dl>${links.downloads('total', 'the totals')}</div>`;
}

/**
 * Renders clicks a week beside the team's goal. Null: fewer than seven days say nothing about a
 * week, and under a filter clicks are missing. Days before the first visit do not count.
 */
function renderGoal({ question, now, columns, site: { weeklyClicks } }: Report): SafeHtml | null {
  const { isShared, filters, length, period, timeZone } = question;
  const isFiltered = Object.keys(filters).length > 0;
  if (weeklyClicks === null || isShared || length < 7 || isFiltered) return null;
  const first = columns.find(({ now: { visits, clicks } }) => visits + clicks > 0);
  if (first === undefined) return null;
  const began = Temporal.PlainDate.from(first.key).toZonedDateTime(timeZone).epochMilliseconds;
  // The last day may be today, which is not over.
  const weeks = (period.until - began) / WEEK_MS;
  if (weeks <= LEAST_WEEKS) return null;
  const aWeek = Math.round(now.clicks / weeks);
  const percent = Math.round((100 * aWeek) / weeklyClicks);
  const compared = html`<dd>${percent}% of the goal, ${whole(weeklyClicks)}</dd>`;
  return html`<div><dt>Clicks a week</dt><dd class="big">${whole(aWeek)}</dd>${compared}</div>`;
}

/** Renders figures for those who run the server. The reader unfolds them. */
export function renderOperators({ now, question }: Report, links: Links): SafeHtml {
  const { marks, lost } = now;
  const marked = (mark: string) => marks[mark]?.clicks ?? 0;
  const ways = ['fetch', 'beacon', 'ping'].map((way) => whole(marked(way)));
  const pings = now.clicks - now.rated - marked('private');
  const facts = [
    renderFact(
      'Robots',
      html`${clicksAndVisits(now.robots)}. They are marked and counted nowhere.`,
    ),
    renderFact(
      'Automated browsers',
      html`${clicksAndVisits(now.automated)} in a browser that a program drives.
They are counted nowhere here; PostHog has them with <code>is_automated</code>.`,
    ),
    renderFact(
      'Pressed by a script',
      html`${countInWords(marked('scripted'), 'click')}.
They count, because aids such as a switch, an eye tracker or voice may press so.`,
    ),
    renderFact('Brief views', html`${briefInWords(now)}`),
    renderFact('Gaps', gapsInWords(now, links), html` id="gaps"`),
    renderFact(
      'Ways of delivery',
      html`${ways[0]} while the page was open, ${ways[1]} as it closed, ${ways[2]} by ping without
script. ${whole(marked('late'))} of them came on a later try.`,
    ),
    renderFact(
      'Internal visits',
      html`${countInWords(now.internal.visits, 'visit')} and ${countInWords(now.internal.clicks, 'click')} by your
own team. They are counted nowhere.`,
    ),
    renderFact(
      'Clicks without a known visit',
      html`${whole(marked('private'))} with Global Privacy Control or Do Not Track,
${whole(pings)} by ping.`,
    ),
    renderClockChanges(question),
  ];
  return html`<details class="ops"${lost > 0 ? html` open` : null}>
<summary>For operators: robots, gaps, ways of delivery, internal visits</summary>
<dl>
${facts}</dl></details>`;
}

const clicksAndVisits = ({ clicks, visits }: Counts): string =>
  `${countInWords(clicks, 'click')} and ${countInWords(visits, 'visit')}`;

/** Says how many views ended at once. They count. */
function briefInWords({ views, briefViews }: Report['now']): string {
  const share = views > 0 ? `, ${whole(Math.round((100 * briefViews) / views))}%,` : '';
  const of = `${whole(briefViews)} of ${countInWords(views, 'view')}${share}`;
  return `${of} ended within a second, without an input. They count.`;
}

function gapsInWords({ lost, pending }: Report['now'], links: Links): SafeHtml {
  const mayCome = pending > 0 ? ` ${countInWords(pending, 'number')} missing may still come.` : '';
  const words = links.hasLinks ? html`SQL<span class="vh"> of the gaps</span>` : '';
  const sql = links.to({ by: 'gaps' }, words, null, 'report/sql');
  return html`${countInWords(lost, 'click')} proven lost.${mayCome} ${sql}`;
}

/** @param attributes an address for a link: browsers open the folded part around it */
const renderFact = (name: string, says: SafeHtml, attributes: SafeHtml | null = null): SafeHtml =>
  html`<div><dt${attributes}>${name}</dt><dd>${says}</dd></div>
`;

/** Says which days of the period have 23 or 25 hours. */
function renderClockChanges({ from, length, timeZone }: Question): SafeHtml | null {
  const first = Temporal.PlainDate.from(from);
  const days = Array.from({ length }, (_, days) => first.add({ days }).toZonedDateTime(timeZone));
  const changed = days.filter(({ hoursInDay }) => hoursInDay !== 24);
  const says = changed.map((day) => `${dayInWords(String(day))} has ${day.hoursInDay} hours.`);
  return says.length > 0 ? renderFact('Clock changes', html`${says.join(' ')}`) : null;
}

/** Renders how each figure is counted. The reader unfolds it. */
export const renderHowCounted = (timeZone: string): SafeHtml => html`<details>
<summary>How each figure is counted</summary>
<p>A view is one page, opened or returned to. A visit begins with a view to which no other page of
this site led, and a click is one press of a call to action. Robots, automated browsers and your own
team count nowhere. Clicks per 100 visits leaves out clicks without a known visit: with Global
Privacy Control or Do Not Track, or by ping. A click on a later page has no kind of site: it has a
row of its own, without a rate. Below 30 visits there is no rate.</p>
<p>A change is in whole percent, and of a rate in points. In tables, ×18 is 18 times as many. Below
20 clicks before it is the difference; from 0 it is “new”. The period before has the same length and
ends at the same time of day. For one weekday it is whole weeks earlier.</p>
<p>A click is proven lost if its number is missing between others of its visit and can no longer
come, or if its browser reports it as dropped. Days are those of ${placeOf(timeZone)}; the day of a
clock change has 23 or 25 hours.</p>
</details>`;
