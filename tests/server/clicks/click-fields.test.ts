/** Every field of a click is checked before it reaches the ledger, in each form of sending. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { clickSchema } from '#contract/log-cta.schema.ts';
import { parseLine } from '../../../server/clicks/ledger/parse-line.ts';
import { LineReader } from '../../../server/report/engine/line-reader.ts';
import { AT } from '../../../server/report/engine/record.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const PAGE = 'https://www.site.example';
const BEACON = `${LOG_CTA_PATH}?via=beacon`;
const WAYS: [way: string, headers: Record<string, string>, url: string][] = [
  ['fetch', {}, LOG_CTA_PATH],
  ['beacon', {}, BEACON],
  ['beacon from another origin', { 'content-type': 'text/plain', origin: PAGE }, BEACON],
];
const start = () => startApp({ env: { CORS_ORIGINS: PAGE, RATE_LIMIT_CLICKS: '0' } });

/** Values that no field may have: an object, a list, unlimited text. */
const WRONG: unknown[] = [{}, [], 'x'.repeat(3000)];
/** Fields that describe the visit. An invalid one does not cost the click. */
const FACTS = ['campaign', 'referring_domain', 'screen_class', 'seq'];
const FIELDS = Object.keys(clickSchema.shape).filter((field) => !FACTS.includes(field));
const VISIT = {
  campaign: { utm_source: 'cure-sma', utm_term: 'a.b~c-d_e' },
  referring_domain: 'www.google.com',
  screen_class: 'small',
  seq: 3,
};

describe.each(WAYS)('a click by %s', (_way, headers, url) => {
  test.each(FIELDS)('with a wrong value in its field %s is rejected', async (field) => {
    const site = await start();
    for (const wrong of WRONG) {
      const answer = await postClick(site, makeBody({ [field]: wrong }), headers, url);
      expect(answer.statusCode).toBe(400);
      expect(Object.keys(answer.json().error.fields)).toEqual([field]);
    }
    expect(site.lines()).toEqual([]);
    expect(await site.rejected()).toHaveLength(WRONG.length);
  });

  test('has the facts of its visit in its line', async () => {
    const site = await start();
    await postClick(site, makeBody(VISIT), headers, url);
    expect(site.lines()).toMatchObject([{ ...VISIT, referring_domain: 'search' }]);
  });

  test.each(FACTS)(
    'with a wrong value in its field %s is kept without that field',
    async (field) => {
      const site = await start();
      const wrongs = [...WRONG, null, 0, 1.5, 'a b', 'ana@example.org', { utm_source: 'a b' }];
      for (const wrong of wrongs) {
        const body = makeBody({ ...VISIT, [field]: wrong });
        expect((await postClick(site, body, headers, url)).statusCode).toBe(200);
      }
      const others = FACTS.filter((name) => name !== field);
      for (const line of site.lines()) {
        expect(line).not.toHaveProperty(field);
        for (const name of others) expect(line).toHaveProperty(name);
      }
      expect(site.lines()).toHaveLength(wrongs.length);
    },
  );

  test('is read back from its line with the same number, and without one that is too large', async () => {
    const site = await start();
    const numbers = [65_535, 65_536, 70_000, 1_000_000];
    for (const seq of numbers) await postClick(site, makeBody({ seq }), headers, url);
    const written = site.lines().map(({ seq }) => seq);
    expect(written).toEqual([65_535, undefined, undefined, undefined]);
    const texts = readFileSync(site.config.files.ledger, 'utf8').trim().split('\n');
    expect(texts.map((text) => parseLine(text)?.seq)).toEqual(written);
    expect(texts.map(seqInReport)).toEqual(written.map((seq) => seq ?? 0));
  });

  test('adds only the fields of the contract to the line', async () => {
    const site = await start();
    await postClick(site, makeBody(), headers, url);
    const others = {
      pid: 1,
      private: true,
      remote_ip: '192.0.2.1',
      is_bot: true,
      time: 0,
      new: {},
    };
    await postClick(site, { ...makeBody(), ...others }, headers, url);
    const [plain, other] = site.lines().map(withoutOwn);
    expect(other).toEqual(plain);
  });
});

test('a ping adds only its event and its referrer to the line', async () => {
  const site = await start();
  const headers = { 'content-type': 'text/ping', 'ping-from': `${PAGE}/` };
  const known = `${LOG_CTA_PATH}?event=hero_cta_click&referrer=clinic-7`;
  await postClick(site, 'PING', headers, known);
  const others = [...FIELDS, 'private', 'new'].filter((name) => !known.includes(`${name}=`));
  const query = others.map((name) => `&${name}=${'x'.repeat(10)}`).join('');
  await postClick(site, '{"ip":"192.0.2.1"}', headers, known + query);
  const [plain, other] = site.lines().map(withoutOwn);
  expect(other).toEqual(plain);
});

test('a ping has the campaign of its page, and no click id of an advertiser', async () => {
  const site = await start();
  const query = '?ref=clinic-7&gclid=EAI&utm_source=cure-sma&utm_medium=a+b&fbclid=IwAR#about';
  const headers = { 'content-type': 'text/ping', 'ping-from': `${PAGE}/${query}` };
  await postClick(site, 'PING', headers, `${LOG_CTA_PATH}?event=hero_cta_click`);
  const [line] = site.lines();
  expect(line).toMatchObject({ referrer: 'clinic-7', campaign: { utm_source: 'cure-sma' } });
  expect(JSON.stringify(line)).not.toMatch(/clid/);
});

test.each([
  ['class', { referring_domain: 'other' }],
  ['domain', { referring_domain: 'clinic.example' }],
  ['none', {}],
])('with REFERRING_DOMAIN=%s the line has %j', async (setting, expected) => {
  const site = await startApp({ env: { REFERRING_DOMAIN: setting } });
  await postClick(site, makeBody({ referring_domain: 'Clinic.example:8443' }));
  const [line] = site.lines();
  expect({
    ...(line?.referring_domain !== undefined && { referring_domain: line.referring_domain }),
  }).toEqual(expected);
});

test('PARTNER_HOSTS and the page’s own links name the partner', async () => {
  const site = await startApp({ env: { PARTNER_HOSTS: 'clinic.example' } });
  for (const host of ['www.clinic.example', 'portal.example', 'notclinic.example'])
    await postClick(site, makeBody({ referring_domain: host }));
  const classes = site.lines().map((line) => line.referring_domain);
  expect(classes).toEqual(['partner', 'partner', 'other']);
});

test('without a portal, the links to the stand-in do not name our own host as the partner', async () => {
  const site = await startApp({ env: { DIST_DIR: process.env.DIST_DIR ?? 'dist' } });
  await postClick(site, makeBody({ referring_domain: 'localhost' }));
  expect(site.lines().map((line) => line.referring_domain)).toEqual(['other']);
});

test.each(['', 'event=x', 'event=hero_cta_click%00', 'event=a_cta_click&event=hero_cta_click'])(
  'a ping with the query %j is taken only with a valid event',
  async (query) => {
    const site = await start();
    const headers = { 'content-type': 'text/ping', 'ping-from': `${PAGE}/` };
    const answer = await postClick(site, 'PING', headers, `${LOG_CTA_PATH}?${query}`);
    const isTaken = query.startsWith('event=a_');
    expect(answer.statusCode).toBe(isTaken ? 202 : 400);
    expect(site.lines()).toHaveLength(isTaken ? 1 : 0);
  },
);

/** The number of the click that the report counts with; 0: none. */
function seqInReport(line: string): number {
  const reader = new LineReader();
  const bytes = Buffer.from(line);
  expect(reader.read(bytes, 0, bytes.length)).toBe(true);
  return (reader.record[AT.event] ?? 0) >>> 16;
}

/** Returns the line without the fields that differ between any two clicks. */
function withoutOwn(line: Record<string, unknown>) {
  const { id, time, timestamp, received_at, req_id, ...rest } = line;
  return rest;
}
