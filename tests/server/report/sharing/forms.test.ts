/** POST /report: the forms of the report's page, and addresses for readers outside the team. */
import { describe, expect, test } from 'vitest';
import { upsertLink } from '../../../../server/links/known-links.ts';
import {
  addNote,
  findShare,
  makeShare,
} from '../../../../server/report/sharing/notes-and-shares.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import { DATABASES } from '../../../helpers/server/databases.ts';
import { BROKEN, HOSTILE, KEPT, SHOWN } from '../../../helpers/server/hostile-text.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { ADMIN_PASSWORD, withPassword } from '../../../helpers/server/scrape.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The fields of a form. A list may have one of them twice. */
type Fields = Record<string, string> | [name: string, value: string][];

async function startSite(env = {}) {
  const clock = { now: Date.parse('2026-11-08T15:00:00Z') };
  const site = await startApp({ env: { ADMIN_PASSWORD, ...env }, now: () => clock.now });
  // Before the first visit, the page has one form alone.
  await storeRows(site.data.db, [], [visitRow(clock.now)]);
  const operator = { ...withPassword(ADMIN_PASSWORD), ...FORM };
  const post = (fields: Fields, headers: Record<string, string> = operator) =>
    site.app.inject({
      method: 'POST',
      url: '/report?days=7',
      headers,
      body: String(new URLSearchParams(fields)),
    });
  return {
    ...site,
    post,
    operator,
    clock,
    find: (token: string) => findShare(site.data.db, token, clock.now),
    page: async (query = '?days=7') =>
      (await site.app.inject({ url: `/report${query}`, headers: operator })).body,
  };
}

/** The id of the list's only row. */
const idIn = (page: string) => /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('makes links and notes of the shown days, and removes notes', async () => {
    const site = await startSite(await makeEnv());
    const made = await site.post({ form: 'link', code: 'clinic-12', name: 'Bay <Clinic>' });
    expect(made.statusCode).toBe(303);
    expect(made.headers.location).toBe('/report?days=7#h-link');
    for (const day of ['2026-11-02', '2026-11-01'])
      await site.post({ form: 'note', day, note: ' Mail to "A&B" ' });
    const page = await site.page();
    expect(page).toContain('Last made: clinic-12. <a href="r/clinic-12">Short link</a>');
    site.clock.now += 1;
    await site.post({ form: 'link', code: 'a', name: 'A' });
    const filtered = await site.page('?ref=clinic-12');
    expect(filtered).toContain('Last made: a.');
    expect(filtered).toContain('This page’s link: clinic-12. <a href="r/clinic-12">');
    expect(page.split('Nov 2, 2026: Mail to &quot;A&amp;B&quot;<')).toHaveLength(3);
    expect(page.split('Nov 1, 2026')).toHaveLength(2);
    const [, day = ''] = /Last added: <a href="([^"]+)">Nov 1, 2026: Mail/.exec(page) ?? [];
    const ofDay = await site.page(day.replaceAll('&amp;', '&'));
    expect(ofDay).toContain('Remove<span class="vh"> Nov 1, 2026: Mail');
    const other = await site.post({ form: 'link', code: 'clinic-12', name: 'Lake Clinic' });
    expect(other.body).toContain('It is the code of “Bay &lt;Clinic&gt;”.');
    const spelled = { form: 'link', code: 'CLINIC-12', name: 'Bay <Clinic>' };
    expect((await site.post(spelled)).body).toContain('It is the code of “Bay &lt;Clinic&gt;”.');
    await site.post({ form: 'unnote', id: idIn(page) });
    expect(await site.page()).not.toContain('Nov 2, 2026:');
    expect(await site.rows('SELECT day, note FROM report_notes')).toEqual([
      { day: '2026-11-01', note: 'Mail to "A&B"' },
    ]);
  });

  test('shows the address for a clinic once, until its day or the team ends it', async () => {
    const site = await startSite(await makeEnv());
    await site.post({ form: 'link', code: 'clinic-7', name: 'Bay Clinic' });
    const share = async (until: string) => {
      const { body, statusCode } = await site.post({ form: 'share', code: 'clinic-7', until });
      expect(statusCode).toBe(200);
      return /https:\/\/site\.example\/report\/shared\/([\w-]+)"/.exec(body)?.[1] ?? '';
    };
    const [first, second] = [await share('2026-11-08'), await share('2027-11-09')];
    expect(await site.find(first)).toMatchObject({ ref: 'clinic-7' });
    const page = await site.page();
    expect(page).toContain('clinic-7, until Nov 8, 2026');
    // A thief of the database cannot open the addresses.
    const rows = await site.rows('SELECT * FROM report_shares');
    const kept = page + JSON.stringify([rows, site.logged()]);
    expect(kept).not.toMatch(new RegExp(`${first}|${second}`));
    for (const { token_hash } of rows) expect(await site.find(String(token_hash))).toBeNull();
    site.clock.now += 9 * HOUR_MS;
    expect([await site.find(first), await site.find('x')]).toEqual([null, null]);
    expect(await site.find(second)).toMatchObject({ ref: 'clinic-7' });
    const left = await site.page();
    expect(left).not.toContain('Nov 8, 2026');
    await site.post({ form: 'unshare', id: idIn(left) });
    expect(await site.find(second)).toBeNull();
    site.clock.now += DAY_MS;
    await share('2026-11-10');
    expect(await site.rows('SELECT ref FROM report_shares')).toHaveLength(1);
  });
});

test.each([
  [{ form: 'link', code: 'a b', name: 'A' }, 'code', 'It must be 1 to 64 letters'],
  [{ form: 'note', day: '2026-02-30', note: 'A' }, 'day', 'a day like 2026-01-31.'],
  [{ form: 'note', day: '2026-11-08', note: 'x'.repeat(61) }, 'note', '1 to 60 visible'],
  [{ form: 'share', code: '', until: '2026-11-09' }, 'code', 'It must be the code of a link'],
  [{ form: 'share', code: 'A', until: '2026-11-09' }, 'code', 'No link has this code.'],
  [{ form: 'share', code: 'A', until: 'soon' }, 'until', 'from today to 366 days ahead'],
  [{ form: 'share', code: 'A', until: '2026-11-07' }, 'until', 'from today to 366 days ahead'],
  [{ form: 'share', code: 'A', until: '2027-11-10' }, 'until', 'from today to 366 days ahead'],
])('keeps the values of a form with a fault: %o', async ({ form, ...values }, name, message) => {
  const site = await startSite();
  const { statusCode, body } = await site.post({ form, ...values });
  expect(statusCode).toBe(400);
  expect(body).toContain('<title>Error: ');
  const fields = body.slice(body.indexOf(`id="h-${form}"`)).split('</form>')[0] ?? '';
  for (const value of Object.values(values)) expect(fields).toContain(` value="${value}"`);
  expect(fields.match(/aria-invalid/g)).toHaveLength(1);
  const [, id] = new RegExp(`name="${name}"[^>]+aria-describedby="([^"]+)"`).exec(fields) ?? [];
  expect(fields).toMatch(new RegExp(`<p class="dn" id="${id}">[^<]*${message}`));
});

test('shows codes, names, notes and fields of a faulty form as text', async () => {
  const site = await startSite();
  const { db } = site.data;
  await addNote(db, { day: '2026-11-08', note: HOSTILE });
  await makeShare(db, HOSTILE, site.clock.now + HOUR_MS, site.clock.now);
  await upsertLink(db, 'clinic-7', HOSTILE, 1);
  await upsertLink(db, HOSTILE, HOSTILE, 2);
  const filters = String(new URLSearchParams({ days: '7', ref: 'clinic-7', class: HOSTILE }));
  const page = await site.page(`?${filters}`);
  expect(page).not.toMatch(BROKEN);
  const places = [
    `<li>Kind of site: ${SHOWN}<`,
    `Last made: ${SHOWN}. <a href="r/%3Cq%20title%3D%22&#39;%26%E2%80%AE%22%3E">`,
    `>Nov 8, 2026: ${SHOWN}</a>`,
    `<li>Nov 8, 2026: ${SHOWN}<form method="post" action="?${filters.replaceAll('&', '&amp;')}">`,
    `Remove<span class="vh"> Nov 8, 2026: ${SHOWN}</span>`,
    `<li>${SHOWN}, until Nov 8, 2026<form`,
    `End<span class="vh"> ${SHOWN}, until Nov 8, 2026</span>`,
  ];
  expect(places.filter((place) => !page.includes(place))).toEqual([]);
  const faulty = (await site.post({ form: 'link', code: HOSTILE, name: HOSTILE })).body;
  expect(faulty).not.toMatch(BROKEN);
  expect(faulty.split(` value="${KEPT}"`)).toHaveLength(3);
  const taken = (await site.post({ form: 'link', code: 'CLINIC-7', name: 'A' })).body;
  expect(taken).toContain(`<p class="dn" id="fault-link-code">It is the code of “${SHOWN}”.`);
});

test('shares a code that has visits and no link, and makes no link of a code that a spreadsheet would change', async () => {
  const site = await startSite();
  const viewedAt = site.clock.now - 80 * DAY_MS;
  await storeRows(site.data.db, [], [visitRow(viewedAt, { referrer: 'Clinic-30' })]);
  await storeRows(site.data.db, [clickRow(viewedAt, { referrer: 'clinic-40' })]);
  const share = (code: string) => site.post({ form: 'share', code, until: '2026-11-09' });
  for (const code of ['clinic-30', 'CLINIC-40.'])
    expect([code, (await share(code)).statusCode]).toEqual([code, 200]);
  for (const code of ['none', '...'])
    expect([code, (await share(code)).statusCode]).toEqual([code, 400]);
  expect((await share('clinic-50')).body).toContain('nobody came with it in the last 90 days');
  // The page's figures are kept for a minute, so these cost little here.
  for (const code of ['007', '1e5', '1.10', 'e', '2026-11', 'May-5', '5-nov', 'None']) {
    const { body } = await site.post({ form: 'link', code, name: 'A' });
    expect(body, code).toMatch(/A spreadsheet would take it|another code than none/);
  }
  for (const code of ['7e', 'e-e', 'mayo-5', 'clinic-5', 'x1e5'])
    expect([code, (await site.post({ form: 'link', code, name: 'A' })).statusCode]).toEqual([
      code,
      code === '7e' ? 400 : 303,
    ]);
});

test('takes forms of the page itself alone, with the password', async () => {
  const { post, operator, rows } = await startSite();
  const note = { form: 'note', day: '2026-11-08', note: 'A' };
  const cases: [status: number, fields: Record<string, string>, headers: Record<string, string>][] =
    [
      [401, note, FORM],
      [403, note, { ...operator, 'sec-fetch-site': 'cross-site' }],
      [403, note, { ...operator, 'sec-fetch-site': 'same-site' }],
      [403, note, { ...operator, origin: 'https://other.example' }],
      [403, note, { ...operator, origin: 'null' }],
      [413, { ...note, more: 'x'.repeat(9000) }, operator],
      [400, { ...note, form: 'other' }, operator],
      [303, note, { ...operator, origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ];
  for (const [status, fields, headers] of cases)
    expect((await post(fields, headers)).statusCode).toBe(status);
  expect(await rows('SELECT note FROM report_notes')).toHaveLength(1);
});

test('reads signs as they were typed, and the first of repeated fields', async () => {
  const { post, rows } = await startSite();
  const note = 'Día 1 + 2: 50 % & más = “todo”';
  const list = { form: 'note', day: '2026-11-08', note };
  const repeated = { form: 'unnote', day: 'never', note: 'Another' };
  const fields = [...Object.entries(list), ...Object.entries(repeated)];
  expect((await post(fields)).statusCode).toBe(303);
  expect(await rows('SELECT note FROM report_notes')).toEqual([{ note }]);
  expect((await post([])).statusCode).toBe(400);
});
