/**
 * The row of the report that each link and campaign becomes: through the real page's reading of its
 * address, the server's routes and the report's CSV. tests/e2e/sources.spec.ts has one of each kind
 * in a browser.
 */
import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { readQuery, readRef } from '#contract/ref.ts';
import { firstValues, sourceParameters } from '#contract/visit.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

/** `none`: it has no ref; `?`: its ref names no source. */
const LINKS: [link: string, key: string, ref?: string][] = [
  ['/', 'none'],
  ['/?ref=', 'none'],
  ['/?ref=%20%09', 'none'],
  // The ref keeps its spelling.
  ['/?ref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?ref=CLINIC-7', 'clinic-7', 'CLINIC-7'],
  ['/?REF=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?Ref=Clinic-7', 'clinic-7', 'Clinic-7'],
  ['/?ref=clinic-7&ref=clinic-8', 'clinic-7', 'clinic-7'],
  ['/?REF=clinic-7&ref=clinic-8', 'clinic-7', 'clinic-7'],
  ['/?fbclid=x&ref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?xref=clinic-7', 'none'],
  // What a sentence, a chat or a mail program adds.
  ['/?ref=clinic-7.', 'clinic-7', 'clinic-7.'],
  ['/?ref=clinic-7),', 'clinic-7', 'clinic-7),'],
  ['/?ref=clinic-7>', 'clinic-7', 'clinic-7>'],
  ['/?ref=%22clinic-7%22', 'clinic-7', '"clinic-7"'],
  ['/?ref=%E2%80%9CClinic-7%E2%80%9D', 'clinic-7', '“Clinic-7”'],
  ['/?ref=%C2%ABclinic-7%C2%BB', 'clinic-7', '«clinic-7»'],
  ['/?ref=*clinic-7*', 'clinic-7', '*clinic-7*'],
  ['/?ref=_clinic-7_', 'clinic-7', '_clinic-7_'],
  ['/?ref=~~clinic-7~~', 'clinic-7', '~~clinic-7~~'],
  ['/?ref=[clinic-7](https://a.example', 'clinic-7', '[clinic-7](https://a.example'],
  ['/?ref=clinic-7%22%3EHere%3C/a%3E', 'clinic-7', 'clinic-7">Here</a>'],
  ['/?ref=%26quot%3Bclinic-7%26quot%3B', 'clinic-7', '&quot;clinic-7&quot;'],
  ['/?ref=clinic-7%26nbsp%3B%26%238203%3B', 'clinic-7', 'clinic-7&nbsp;&#8203;'],
  ['/?ref=Bay%26amp%3BSons', 'bay&sons', 'Bay&amp;Sons'],
  ['/?ref=clinic%26%23x2D%3B7%26%2399999999%3B', 'clinic-7&#99999999', 'clinic&#x2D;7&#99999999;'],
  ['/?ref=%E2%80%9Eclinic-7%E2%80%9C', 'clinic-7', '„clinic-7“'],
  ['/?ref=%E3%80%8Cclinic-7%E3%80%8D', 'clinic-7', '「clinic-7」'],
  ['/?ref=clinic-7%F0%9F%91%8D%F0%9F%8F%BD', 'clinic-7', 'clinic-7👍🏽'],
  // A word processor's hyphens.
  ['/?ref=clinic%E2%80%917', 'clinic-7', 'clinic\u20117'],
  ['/?ref=clinic%E2%80%937', 'clinic-7', 'clinic\u20137'],
  ['/?ref=clinic%E2%88%927', 'clinic-7', 'clinic\u22127'],
  ['/?ref=clinic-7%E2%80%A6', 'clinic-7', 'clinic-7…'],
  ['/?ref=clinic-7%E3%80%82', 'clinic-7', 'clinic-7。'],
  ['/?ref=clinic-7%E2%80%8B', 'clinic-7', 'clinic-7\u200b'],
  ['/?ref=%EF%BB%BFclinic-7', 'clinic-7', 'clinic-7'],
  ['/?ref=cli%C2%ADnic-7', 'clinic-7', 'cli\u00adnic-7'],
  ['/?ref=clinic-7%E2%81%A9', 'clinic-7', 'clinic-7\u2069'],
  ['/?ref=+clinic-7+', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7%0D%0A', 'clinic-7', 'clinic-7'],
  ['/?ref==clinic-7', 'clinic-7', '=clinic-7'],
  ['/?ref=clinic%252D7', 'clinic-7', 'clinic%2D7'],
  ['/?ref=clinic-7#top', 'clinic-7', 'clinic-7'],
  // A second query, joined with or without escapes.
  ['/?ref=clinic-7?fbclid=secret', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7?utm_source=mail', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7%3Fgclid%3Dsecret', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7%253Ffbclid%253Dsecret', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7%3fgclid%3dsecret', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7?$deep_link=true', 'clinic-7', 'clinic-7?$deep_link=true'],
  ['/?ref=clinic-7?hsa[acc]=1', 'clinic-7', 'clinic-7?hsa[acc]=1'],
  ['/?ref=clinic-7%3F%24deep_link%3Dtrue', 'clinic-7', 'clinic-7?$deep_link=true'],
  ['/?ref=clinic-7%26utm_source%3Dmail', 'clinic-7', 'clinic-7'],
  ['/?ref=clinic-7&amp;utm_source=mail', 'clinic-7', 'clinic-7'],
  ['/?utm_source=mail&amp;ref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?utm_source=mail&amp;amp;ref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?utm_source=mail&amp%3Bref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?utm_source=mail?ref=clinic-7', 'clinic-7', 'clinic-7'],
  ['/?ref%3Dclinic-7', 'clinic-7', 'clinic-7'],
  ['/?fbclid=x%26REF%3Dclinic-7', 'clinic-7', 'clinic-7'],
  // Not joined: no value follows.
  ['/?ref=what?', 'what', 'what?'],
  ['/?ref=Bay%26Sons', 'bay&sons', 'Bay&Sons'],
  ['/?ref=R%26D%20=%20best', 'r&d = best', 'R&D = best'],
  ['/?ref=what?now', 'what?now', 'what?now'],
  // Other scripts and compositions.
  ['/?ref=Klinik%20S%C3%BCd', 'klinik süd', 'Klinik Süd'],
  ['/?ref=KLINIK++SU%CC%88D', 'klinik süd', 'KLINIK  SU\u0308D'],
  ['/?ref=cl%C3%ADnica', 'clínica', 'clínica'],
  ['/?ref=%E8%A8%BA%E7%99%82%E6%89%80', '診療所', '診療所'],
  [`/?ref=${'a'.repeat(200)}`, 'a'.repeat(128), 'a'.repeat(128)],
  [`/?ref=${'a'.repeat(127)}%F0%9F%91%8D`, 'a'.repeat(127), 'a'.repeat(127)],
  [`/?ref=${'a'.repeat(126)}%F0%9F%91%8Db`, 'a'.repeat(126), `${'a'.repeat(126)}👍`],
  // Signs alone name no source.
  ['/?ref=...', '?', '...'],
  ['/?ref=%F0%9F%98%80', '?', '😀'],
  ['/?ref=%E2%80%8B', '?', '\u200b'],
  // Short links.
  ['/r/clinic-7', 'clinic-7', 'clinic-7'],
  ['/R/CLINIC-7', 'clinic-7', 'CLINIC-7'],
  ['/es/r/Clinic-7.', 'clinic-7', 'Clinic-7'],
  ['/r/clinic-7*', 'clinic-7', 'clinic-7'],
  ['/r/clinic-7&gt;', 'clinic-7', 'clinic-7&gt'],
  ['/r/CLINIC%2d7%20', 'clinic-7', 'CLINIC-7'],
  ['/r/clinic-7?$deep_link=true', 'clinic-7', 'clinic-7'],
  ['/r/clinic-7%E2%80%A6', 'clinic-7', 'clinic-7'],
  ['/r/clinic-7%3Ffbclid=abc', 'clinic-7', 'clinic-7'],
  ['/r/clinic-7&utm_source=mail', 'clinic-7', 'clinic-7'],
  ['/r/clinic-7?fbclid=abc', 'clinic-7', 'clinic-7'],
  ['/r/', 'none'],
];

/**
 * The value of `utm_source`, and the row that it becomes. `none`: there is no value; `?`: it is not
 * kept.
 */
const CAMPAIGNS: [search: string, row: string][] = [
  ['utm_source=', 'none'],
  ['UTM_Source=Mail', 'mail'],
  ['utm_source=a&utm_source=b', 'a'],
  ['utm_source=spring.', 'spring'],
  ['utm_source=_spring_~', 'spring'],
  ['utm_source=spring%26amp%3Bsummer', 'spring-summer'],
  ['utm_source=spring+sale', 'spring-sale'],
  ['utm_source=SMA%20%7C%20US', 'sma-us'],
  ['utm_source=spring%2520sale', 'spring-sale'],
  ['utm_source=ni%C3%B1os', 'niños'],
  ['utm_source=NIN%CC%83OS', 'niños'],
  ['utm_source=google%2Fads', 'google-ads'],
  ['utm_source=a%2Bb', 'a-b'],
  ['utm_source=cure_sma.2026~a-b', 'cure_sma.2026~a-b'],
  ['utm_source=%E2%9D%A4%EF%B8%8F+SMA+%E2%9D%A4', 'sma'],
  ['utm_source=%EF%BC%B3MA', 'sma'],
  ['utm_source={{site.source}}', 'site.source'],
  [`utm_source=${'x'.repeat(64)}`, 'x'.repeat(64)],
  [`utm_source=${'x'.repeat(65)}`, '?'],
  [`utm_source=${'x'.repeat(9000)}`, '?'],
  ['utm_source=%F0%9F%98%80', '?'],
  // E-mail addresses.
  ['utm_source=ana@example.org', '?'],
  ['utm_source=Ana+Lopez+%3Cana%40example.org%3E', '?'],
  ['utm_source=ana%2540example.org', '?'],
  ['utm_source=ana%EF%BC%A0example.org', '?'],
  ['utm_source=ana+(at)+example.org', '?'],
  ['utm_source=ana%26%2364%3Bexample.org', '?'],
  // Telephone numbers.
  ['utm_source=%2B1+415+555+0100', '?'],
  ['utm_source=%2B14155550100', '?'],
  ['utm_source=+14155550100', '?'],
  ['utm_source=call+(415)+555-0100', '?'],
  ['utm_source=415.555.0100', '?'],
  ['utm_source=415-555-0100', '?'],
  ['utm_source=030+1234567', '?'],
  ['utm_source=%2B1_415_555_0100', '?'],
  ['utm_source=415_555_0100', '?'],
  ['utm_source=%2B49+(0)151/5550100', '?'],
  ['utm_source=0151%C2%B75550100', '?'],
  ['utm_source=%D9%A0%D9%A1+%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7%D9%A8', '?'],
  // A telephone number has 7 to 15 digits.
  ['utm_source=555.0100', '?'],
  ['utm_source=55.0100', '55.0100'],
  ['utm_source=555.010041555501', '?'],
  ['utm_source=555.0100415555010', '555.0100415555010'],
  // An advertiser's number, also with a part behind a hyphen, and a date.
  ['utm_source=20261128-0001', '20261128-0001'],
  ['utm_source=120210398765', '120210398765'],
  ['utm_source=Summer+120210398765', 'summer-120210398765'],
  ['utm_source=2026-11-28', '2026-11-28'],
  ['utm_source=2026_11_28', '2026_11_28'],
  ['utm_source=28/11/2026', '28-11-2026'],
  ['utm_source=%2B10_days_of_2026', '10_days_of_2026'],
  ['utm_source=wave+3+of+2026', 'wave-3-of-2026'],
];

type Site = Awaited<ReturnType<typeof startApp>>;

/** What the page sends of its address. A short link leads to it first. */
async function openPage({ app }: Site, link: string) {
  const redirect = /^\/(\?|$)/.test(link) ? null : await app.inject(link);
  const { search } = new URL(redirect?.headers.location ?? link, 'https://site.example');
  const query = readQuery(search);
  const { ref: _, ...campaign } = firstValues(sourceParameters(query));
  return { referrer: readRef(query), campaign };
}

/**
 * Opens each link and presses.
 *
 * @returns the ref, and how visit and click are counted in the report of one of its tables
 */
async function follow(links: readonly string[], by: 'ref' | 'source') {
  const site = await startApp({ env: { ADMIN_PASSWORD, RATE_LIMIT: '0' } });
  const ask = async () => {
    const headers = withPassword(ADMIN_PASSWORD);
    const { body } = await site.app.inject({ url: '/report.csv', query: { by }, headers });
    return parseCsv(body);
  };
  const followed = [];
  for (const link of links) {
    const sent = await openPage(site, link);
    const id = randomUUIDv7();
    const view = pageView(sent);
    expect((await site.postClick(view, {}, VIEW_PATH)).statusCode, link).toBe(200);
    expect((await site.postClick(makeBody({ ...sent, id }))).statusCode, link).toBe(200);
    followed.push({ link, ref: sent.referrer, clickId: id, viewId: view.id });
  }
  const column = by === 'ref' ? 'ref_key' : 'utm_source';
  const keyOf = async (table: string, id: unknown) => {
    const [row] = await site.rows(`SELECT ${column} AS key FROM ${table} WHERE id = '${id}'`);
    return row?.key === '' ? '?' : (row?.key ?? 'none');
  };
  const rows = [];
  for (const { link, ref, clickId, viewId } of followed)
    rows.push({
      link,
      ref,
      click: await keyOf('clicks', clickId),
      visit: await keyOf('visits', viewId),
      line: site.lines().find(({ id }) => id === clickId),
    });
  return { site, rows, report: await ask() };
}

/** How often each row must be counted. */
const countsOf = (keys: string[]) => {
  const groups = Map.groupBy(keys, (key) => key);
  return Object.fromEntries([...groups].map(([key, { length }]) => [key, `${length} ${length}`]));
};

test('each link becomes the row of its source, and the ref keeps its own spelling', async () => {
  const { site, rows, report } = await follow(
    LINKS.map(([link]) => link),
    'ref',
  );
  expect(rows.map(({ link, ref, visit, click }) => [link, ref, visit, click])).toEqual(
    LINKS.map(([link, key, ref = null]) => [link, ref, key, key]),
  );
  for (const { link, ref, click, line } of rows) {
    expect(line?.referrer, link).toBe(ref);
    expect(line?.ref_key ?? 'none', link).toBe(click === '?' ? '' : click);
  }
  expect(Object.fromEntries(report.map((row) => [row.key, `${row.visits} ${row.clicks}`]))).toEqual(
    countsOf(LINKS.map(([, key]) => key)),
  );
  // No advertiser's id of a joined query is kept.
  const kept = JSON.stringify([await site.rows('SELECT * FROM clicks'), site.lines()]);
  expect(/secret|fbclid|gclid/.exec(kept)?.[0]).toBeUndefined();
});

test('each campaign becomes its row, and e-mail addresses and telephone numbers are kept nowhere', async () => {
  const { site, rows, report } = await follow(
    CAMPAIGNS.map(([search]) => `/?${search}`),
    'source',
  );
  expect(rows.map(({ link, visit, click }) => [link, visit, click])).toEqual(
    CAMPAIGNS.map(([search, row]) => [`/?${search}`, row, row]),
  );
  expect(Object.fromEntries(report.map((row) => [row.key, `${row.visits} ${row.clicks}`]))).toEqual(
    countsOf(CAMPAIGNS.map(([, row]) => row)),
  );
  const tables = ['clicks', 'visits', 'posthog_outbox'];
  const stored = await Promise.all(tables.map((table) => site.rows(`SELECT * FROM ${table}`)));
  const kept = JSON.stringify([stored, site.lines()]);
  expect(/ana[^l]|lopez|example.org|5550100|555-0100/i.exec(kept)?.[0]).toBeUndefined();
});
