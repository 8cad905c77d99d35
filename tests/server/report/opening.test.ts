/** What the report opens with: what changed, why, and what to look at; and the chart's marks. */
import { expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { execute } from '../../helpers/server/databases.ts';
import { lookHere } from '../../helpers/server/read-in-process.ts';
import { NOW, startSite, textOf } from '../../helpers/server/report-site.ts';
import { clickRow, visitRow } from '../../helpers/server/rows.ts';
import { ADMIN_PASSWORD } from '../../helpers/server/scrape.ts';

const DAYS = 70;
/** Phones press no more since this many days. */
const BROKEN_DAYS = 6;
const PHONE = { screen_class: 'small' } as const;
const COMPUTER = { screen_class: 'large' } as const;

/** Rows of each hour from 8 to 19, but for a day and a half without any visit. */
function usualRows(isHole = (_: number) => false) {
  const [clicks, visits] = [[], []] as [
    ReturnType<typeof clickRow>[],
    ReturnType<typeof visitRow>[],
  ];
  for (let day = DAYS; day >= 1; day--)
    for (let hour = 8; hour < 20; hour++) {
      const at = Date.parse('2026-11-08') - day * DAY_MS + hour * HOUR_MS;
      if (isHole(at)) continue;
      const rows = (n: number, device: object) => Array.from({ length: n }, () => device);
      visits.push(...rows(5, PHONE).map((one) => visitRow(at, one)));
      visits.push(...rows(5, COMPUTER).map((one) => visitRow(at, one)));
      const phones = day > BROKEN_DAYS ? 1 : 0;
      clicks.push(...rows(phones, PHONE).map((one) => clickRow(at, one)));
      clicks.push(...rows(1, COMPUTER).map((one) => clickRow(at, one)));
    }
  return { clicks, visits };
}

async function startLooked(look = lookHere) {
  const hole = [Date.parse('2026-10-20T12:00:00Z'), Date.parse('2026-10-22T00:00:00Z')] as const;
  const { clicks, visits } = usualRows((at) => at >= hole[0] && at < hole[1]);
  const changes = { env: { ADMIN_PASSWORD }, senders: { reports: { look } } };
  const clock = { now: NOW };
  const site = await startSite(clicks, visits, clock, changes);
  return { ...site, clock };
}

const linksOf = (html: string) =>
  [...html.matchAll(/<dd><a href="([^"]*)">([^<]*)/g)].map(([, href = '', words = '']) => ({
    query: Object.fromEntries(new URLSearchParams(href.replaceAll('&amp;', '&'))),
    words,
  }));

test('without mails, the report opens with what changed, why, and what to look at, from the first look on', async () => {
  const look = vi.fn(lookHere);
  const site = await startLooked(look);
  const first = textOf((await site.ask({ days: '30' })).body);
  expect(first).toContain('From tomorrow on, this page says here what has changed');
  await site.step('report-facts');
  const { body } = await site.ask({ days: '30' });
  const links = linksOf(body);
  expect(links[0]?.words).toMatch(/^608 clicks from 3,400 visits, 112 fewer clicks than in the 30/);
  expect(links.map(({ words }) => words)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^No visit for 44 hours, since Oct 20, 12:00; /),
      expect.stringMatching(/^Phones: 0 clicks per 100 visits since Nov 2, were 20\. .*on a phone/),
    ]),
  );
  const phones = links.find(({ words }) => words.startsWith('Phones'));
  expect(phones?.query).toMatchObject({ device: 'small', from: '2026-11-02', to: '2026-11-07' });
  const rows = textOf((await site.ask(phones?.query)).body);
  expect(rows).toContain('Visits 360');
  // Below the totals, in other words than above them.
  expect(body).toMatch(
    /<p class="rate"><a [^>]*device=small[^>]*>What moved the rate: Phones since Nov 2, from 20 to 0\.</,
  );
  expect(textOf(body)).toContain('About Oct 9 to Nov 7. At your traffic, a halving of clicks');

  await site.step('report-facts');
  expect(look, 'the same day').toHaveBeenCalledTimes(1);
  site.clock.now += DAY_MS;
  await site.step('report-facts');
  expect(look, 'the next day').toHaveBeenCalledTimes(2);
});

test('a filter has the facts that touch it, and other days have those that meet them', async () => {
  const site = await startLooked();
  await site.step('report-facts');
  const wordsOf = async (query: object) =>
    linksOf((await site.ask(query)).body).map(({ words }) => words);
  const phones = await wordsOf({ days: '7', device: 'small' });
  expect(phones).toEqual([expect.stringMatching(/^Phones: /)]);
  const computers = await site.ask({ days: '7', device: 'large' });
  expect(linksOf(computers.body)).toEqual([]);
  expect(textOf(computers.body)).toContain('Nothing unusual is known for this filter.');
  const october = await site.ask({ from: '2026-10-15', to: '2026-10-31' });
  expect(linksOf(october.body).map(({ words }) => words)).toEqual([
    expect.stringMatching(/^No visit for 44 hours/),
  ]);
  expect(textOf(october.body)).toContain(
    'For these days no new explanation is made: these are the facts that meet them.',
  );
});

test('a third fact has no room beside the totals', async () => {
  const site = await startLooked();
  await site.step('report-facts');
  const where = 'FROM report_facts WHERE length = 30';
  const [row] = await site.rows(`SELECT facts ${where}`);
  const kept = JSON.parse(String(row?.facts));
  const link = { ref: 'leaflet-2', visits: 300, rated: 5, expected: 60 };
  kept.facts.push({ kind: 'far', link, from: kept.from, to: kept.day });
  const facts = JSON.stringify(kept).replaceAll("'", "''");
  await execute(site.config, `UPDATE report_facts SET facts = '${facts}' WHERE length = 30`);
  const words = linksOf((await site.ask({ days: '30' })).body).map((one) => one.words);
  expect(words.map((one) => one.split(' ')[0])).toEqual(['608', 'No', 'Phones:']);
  const { body } = await site.ask({ days: '30', ref: 'leaflet-2' });
  expect(linksOf(body)[1]?.words).toMatch(/^leaflet-2: 300 visits, 5 clicks, far below/);
  expect(body).toMatch(
    /class="rate"><a [^>]*>What lowers the rate: leaflet-2, with 1\.7 where oth/,
  );
});

test('the chart has what is usual, hours without a visit, and what was named', async () => {
  const site = await startLooked();
  await site.step('report-facts');
  await execute(site.config, "INSERT INTO report_notes VALUES ('n', '2026-11-02', 'Release')");
  await execute(site.config, "INSERT INTO report_notes VALUES ('m', '2026-11-06', 'Newsletter')");
  const { body } = await site.ask({ days: '30' });
  expect(body.match(/<rect class="usual" x=/g)).toHaveLength(29);
  expect(body).toContain('<title>No visit for 44 hours</title>');
  expect(body).toContain('<title>Named as unusual: Phones</title>');
  expect(body, 'nobody gets alerts').toContain('Unusual from this day on</li>');
  expect(body).toContain('Your note of Nov 2: “Release”.');
  // A note of a later day is not the cause.
  expect(body).not.toContain('Your note of Nov 6');
  const filtered = (await site.ask({ days: '30', device: 'large' })).body;
  expect(filtered).not.toMatch(/class="usual"|class="hole"|Named as unusual/);
});

/** So many clicks of one day. */
const at = (days: number, n: number) =>
  Array.from({ length: n }, () => clickRow(NOW - HOUR_MS - days * DAY_MS));

test('a spike does not flatten the other columns; its height is said', async () => {
  const ordinary = [0, 1, 2, 3, 4, 5, 6].flatMap((days) => at(days, 10));
  const site = await startSite([...ordinary, ...at(3, 390)]);
  const { body } = await site.ask({ days: '7' });
  expect(body).toMatch(/<svg class="yl".*?>40<\/text>/s);
  expect(body).toMatch(/ class="pk"[^>]*>↑\u00a0400<\/text>/);
  expect(body.match(/class="gap"/g)).toHaveLength(1);
});

test('two spikes have a number each; of neighbours only the higher one has', async () => {
  const ordinary = Array.from({ length: 30 }, (_, days) => at(days, 10)).flat();
  const site = await startSite([...ordinary, ...at(5, 390), ...at(6, 190), ...at(20, 290)]);
  const { body } = await site.ask({ days: '30' });
  const numbers = [...body.matchAll(/ class="pk"[^>]*>([^<]*)</g)].map(([, number]) => number);
  expect(numbers).toEqual(['↑\u00a0400', '↑\u00a0300']);
  expect(body.match(/class="gap"/g)).toHaveLength(3);
});

test('a spike of the days before does not flatten the chart; its height is said', async () => {
  const site = await startSite([...at(2, 10), ...at(9, 400)]);
  const { body } = await site.ask({ days: '7' });
  expect(body).toMatch(/<svg class="yl".*?>16<\/text>/s);
  expect(body).toContain('↑\u00a0400 before');
});

test('most clicks come on a weekday if they do so without its largest day, too', async () => {
  const monday = Date.parse('2026-10-12T10:30:00Z');
  const on = (days: number, n: number) =>
    Array.from({ length: n }, () => clickRow(monday + days * DAY_MS));
  const tuesdays = [1, 8, 15, 22].flatMap((days) => on(days, 9));
  const others = [0, 2, 3, 4, 5, 6, 7, 9, 10, 11].flatMap((days) => on(days, 4));
  const said = async (clicks: ReturnType<typeof on>) =>
    /Most clicks [^.]*/.exec(textOf((await (await startSite(clicks)).ask()).body))?.[0];
  expect(await said([...tuesdays, ...others])).toBe(
    'Most clicks come on Tuesdays from 10 am to 12 pm',
  );
  // A newsletter on one Wednesday.
  expect(await said([...tuesdays, ...others, ...on(16, 90)])).toBeUndefined();
});

test('a goal of clicks a week is a figure and a line, but not under a filter or on one day', async () => {
  const first = clickRow(Date.parse('2026-10-28T12:00:00Z'));
  const clicks = [first, ...Array.from({ length: 59 }, () => clickRow(NOW - HOUR_MS))];
  const site = await startSite(clicks, [], { now: NOW }, { site: { weeklyClicks: 14_000 } });
  const { body } = await site.ask({ from: '2026-10-26', to: '2026-11-08' });
  // In 11 days and 15 hours.
  expect(textOf(body)).toContain('Clicks a week 36 0% of the goal, 14,000');
  expect(body).toContain('<title>Goal: 14,000 clicks a week</title>');
  expect(body, 'the line is within the scale').toMatch(/<svg class="yl".*?>2K<\/text>/s);
  for (const query of [{ days: '1' }, { days: '30', device: 'small' }])
    expect((await site.ask(query)).body).not.toMatch(/of the goal|class="goal"/);
  const young = await startSite(clicks.slice(1), [], { now: NOW }, { site: { weeklyClicks: 70 } });
  expect((await young.ask({ days: '30' })).body, 'a first day').not.toContain('of the goal');
  const without = await startSite(clicks);
  expect((await without.ask({ days: '30' })).body).not.toMatch(/of the goal|class="goal"/);
});
