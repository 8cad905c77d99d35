import { expect, test } from 'vitest';
import { makeTable } from '../../../../server/report/causes/counts.ts';
import { lookAt } from '../../../../server/report/causes/look-at.ts';
import type { MailedChange } from '../../../../server/report/causes/mailed-changes.ts';
import { inventSite } from '../../../helpers/causes/invented-site.ts';
import type { CauseName } from '../../../helpers/causes/planted-causes.ts';

/** A site with nine weeks before the cause and two weeks from then on. */
const invent = (name: CauseName, clicksADay: number) =>
  inventSite(name, clicksADay, 1, { before: 63, after: 20 });

/** Looks at each day from the first to the last one, counted from the first day of the cause. */
function lookDaily(
  { rows, onset }: ReturnType<typeof inventSite>,
  [first, last]: [number, number],
  context = {},
) {
  const table = makeTable(rows);
  let told: MailedChange[] = [];
  const mails = [];
  for (let day = onset + first; day <= onset + last; day++) {
    const look = lookAt(table, day, told, context);
    // As a database keeps it between two days.
    told = JSON.parse(JSON.stringify(look.told));
    if (look.mail) mails.push({ ...look, day: day - onset });
  }
  return { table, mails, told };
}

/** Each has a fixed seed; `npm run bench -- causes` draws others, and more causes. */
const FIRST_FACTS: [CauseName, Partial<Record<string, string>>, 'visits' | 'rate'][] = [
  ['newsletter', { campaign: 'newsletter / email' }, 'visits'],
  ['phones', { device: 'small' }, 'rate'],
  ['spanish-phones', { device: 'small', language: 'es' }, 'rate'],
  ['button', { cta: 'hero' }, 'rate'],
  ['robots', { ref: 'clinic-5' }, 'rate'],
  ['launch', {}, 'visits'],
];
test.each(FIRST_FACTS)('one mail names the cause %s: %o, %s', (name, slice, measure) => {
  const { mails } = lookDaily(invent(name, 25), [-2, 12]);
  const news = mails.filter(({ changes }) => changes.length > 0);
  expect(news.map(({ changes }) => changes[0])).toMatchObject([{ slice, measure }]);
});

test('while two causes are about as likely, the mail waits, and then names the right one', () => {
  // On this site computers have few clicks by chance, when phones break.
  const site = inventSite('phones', 12, 8, { before: 63, after: 20 });
  const [first] = lookDaily(site, [-2, 12]).mails;
  expect(first?.changes[0]).toMatchObject({ slice: { device: 'small' }, measure: 'rate' });
});

test('half a year without a cause has no mail', () => {
  const site = inventSite('quiet', 8, 1);
  expect(lookDaily(site, [-50, 70]).mails).toEqual([]);
});

test('a mail says what, since when, how large, where to look, what to do, and that it is over', () => {
  const { mails } = lookDaily(invent('outage', 17), [-1, 12]);
  expect(mails.map(({ mail }) => mail)).toMatchInlineSnapshot(`
    [
      {
        "advice": [
          "Open the site from outside, then look at /healthz. A holiday does the same to all links alike.",
        ],
        "sentences": [
          {
            "address": "from=2026-07-12&to=2026-07-12",
            "text": "The site: 23 visits on Sunday, July 12, usually 64.",
          },
        ],
        "subject": "The site: 23 visits on Sunday, July 12, usually 64",
      },
      {
        "advice": [],
        "sentences": [
          {
            "address": "from=2026-07-12&to=2026-07-15",
            "text": "The site: as before again since Jul 15 (64 visits a day).",
          },
        ],
        "subject": "The site: as before again since Jul 15 (64 visits a day)",
      },
    ]
  `);
});

test('a note of the team about the day is part of the sentence', () => {
  const site = invent('newsletter', 17);
  const day = makeTable(site.rows).days[site.onset] ?? '';
  const notes = [{ day, note: 'Newsletter to all clinics' }];
  const [first] = lookDaily(site, [0, 0], { notes }).mails;
  expect(first?.mail?.sentences[0]?.text).toContain('“Newsletter to all clinics”.');
  expect(first?.mail?.subject).not.toContain('note');
});

test('a look reads no later day', () => {
  const { rows, onset } = invent('newsletter', 8);
  const table = makeTable(rows);
  const today = table.days[onset] ?? '';
  const untilToday = makeTable(rows.filter(({ day }) => day <= today));
  const look = lookAt(untilToday, onset, []);
  expect(look.changes).toHaveLength(1);
  expect(lookAt(table, onset, [])).toEqual(look);
});

test('refs that strangers invent add no series', () => {
  const { rows } = invent('quiet', 8);
  const [row] = rows;
  if (!row) throw new Error('The site has no visits');
  const invented = Array.from({ length: 5000 }, (_, i) => ({ ...row, ref: `invented-${i}` }));
  const sizeOf = (some: typeof rows) => makeTable(some).series.size;
  expect(sizeOf([...rows, ...invented])).toBe(sizeOf(rows));
});

test('an empty table is no fault', () => {
  expect(makeTable([])).toMatchObject({ days: [], rows: [] });
});
