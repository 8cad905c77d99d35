/** Writes the tracking plan (contract/events.ts) as a page for people: docs/tracking-plan.md. */
import { EVENTS, type PlannedProperty, VISIT_PROPERTIES } from '#contract/events.ts';

export const PLAN_PAGE = 'docs/tracking-plan.md';

/** Returns the page in Markdown. */
export function trackingPlanPage(): string {
  return [
    HEAD,
    eventTable(),
    VISIT_HEAD,
    propertyTable(VISIT_PROPERTIES),
    OWN_HEAD,
    ownTables(),
    TAIL,
  ]
    .map((part) => part.trim())
    .join('\n\n')
    .concat('\n');
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;

function eventTable(): string {
  const rows = Object.entries(EVENTS).map(([name, { when, properties }]) => {
    const own = Object.keys(properties).map((property) => `\`${property}\``);
    return row(`\`${name}\``, when, own.join(', ') || '–');
  });
  return [row('event', 'when it fires', 'own properties'), row('---', '---', '---'), ...rows].join(
    '\n',
  );
}

function propertyTable(properties: Record<string, PlannedProperty>): string {
  const rows = Object.entries(properties).map(([name, plan]) =>
    row(
      `\`${name}\``,
      typeOf(plan),
      plan.meaning,
      `\`${plan.example}\``,
      plan.source,
      plan.column === null ? '–' : `\`${plan.column}\``,
    ),
  );
  return [
    row('property', 'type', 'meaning', 'example', 'source', 'column of `clicks`'),
    row('---', '---', '---', '---', '---', '---'),
    ...rows,
  ].join('\n');
}

const typeOf = ({ type, values, nullable }: PlannedProperty): string =>
  `${values ? values.map((value) => `\`${value}\``).join(', ') : type}${nullable ? ', or null' : ''}`;

const ownTables = () =>
  Object.entries<{ properties: Record<string, PlannedProperty> }>(EVENTS)
    .filter(([, { properties }]) => Object.keys(properties).length > 0)
    .map(([name, { properties }]) => `### \`${name}\`\n\n${propertyTable(properties)}`)
    .join('\n\n');

const HEAD = `
# The tracking plan

Every event that PostHog gets, and every property. \`node build/write-tracking-plan.ts\` makes this page from [contract/events.ts](../contract/events.ts); a test keeps both equal. An event
or a property that is not in the plan does not compile. The proxy answers it with 400 \`unknown_event\`, and leaves unknown properties out. Names are public: add, never rename.

## Events`;

const VISIT_HEAD = `
## Properties of every event

Each event of a visit has all of these, with equal values, so that every step of a funnel can be split by them. The inline script and posthog-js
send events to the server, which completes them. It makes a \`cta_click\` from the click's row. *Source*: the browser sends the value, or the server derives it. *Column*: the
server makes a click's value from this column of the row. A value that is not known is null.`;

const OWN_HEAD = '## Properties of single events';

const TAIL = `
## What is a visit, a person, a reload?

- **A visit** is one load of the page. Its id is new each time and is never stored in the browser. At PostHog it is the session (\`$session_id\`) and the \`distinct_id\`.
- **A person** is not counted. There are no cookies and no profiles, so nothing joins two visits. PostHog's "unique users" are visits.
- **A reload** is another visit. So is the same page in a second tab. Its referring class is \`direct\` if the browser names this site as the referrer.
- **A return through the back-forward cache** continues the visit: the same id, no second \`$pageview\`, and the next click has the next \`seq\`.
- **A tab in the background** or a page that the browser renders ahead of time is a visit once it is visible.
- **A double click** is two clicks. Each has an id of its own.

## What is not counted, and why

| not counted | why | in the table \`clicks\` |
|---|---|---|
| visitors with Global Privacy Control or Do Not Track | they ask for privacy. The browser sends nothing to PostHog, and the server passes nothing on | clicks, with \`is_private\` and without an address |
| visitors who turned counting off in the footer | nothing leaves their device | nothing |
| robots, by their user agent | they are not visitors | clicks, with \`is_bot\`. Their page views are rows of \`visits\`, with \`is_bot\` |
| visits without script | the page cannot send events | clicks in Chrome and Safari, by the link's \`ping\`. PostHog gets them too |
| advertisers' click ids (\`gclid\`, \`fbclid\` …) and every parameter but \`ref\` and \`utm_…\` | they identify people | nothing |
| utm values that are not 1 to 64 letters, digits, \`.\`, \`~\`, \`_\` or \`-\` | they may be a person's name or address | nothing |
| contents of the registration form | they are a person's data | nothing |

## The expected gap

PostHog's \`cta_click\` agrees with the table within seconds, because the server makes each event from the click's row. It leaves out a \`cta_click\` that a browser sends. Every
difference has one of these reasons, and [\`posthog check\`](growth.md#when-figures-differ) names the clicks that have none:

- private visitors and robots, whose clicks are rows that PostHog never gets;
- clicks that wait in \`posthog_outbox\`, because PostHog is away or over its quota;
- clicks that PostHog refused, with the reason in \`posthog_outbox.refused\`;
- a call to action of a newer page, which this server does not know yet;
- a time zone: the statistics count days by the time of receipt in UTC, and PostHog by the time of the click in the project's time zone.

All other events come from the browser alone. A content blocker, a lost connection or a tab that closes at once can lose them. A funnel that starts with \`$pageview\` therefore shows
a few clicks more than the views allow. The inline script sends \`$pageview\` right after the first paint, so that few visits lack it. It sends it also without a PostHog, because the
table \`visits\` needs it for the clicks per visit.

## Wrong clocks

Events keep the time of the browser's clock. PostHog must not correct it, because it merges a repeated event only if its time is equal. So a click of a wrong clock has the wrong time
at PostHog. The row also has the server's time (\`received_at\`), by which the statistics count. A click's id that is dated more than a day ahead is refused, and the browser makes
another one. \`visit_id\` and \`$session_id\` keep the browser's date.`;
