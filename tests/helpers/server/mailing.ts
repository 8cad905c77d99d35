/** A site that mails its report: fills its days with rows, runs its job, and checks its mails. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Database } from '../../../server/database/database.ts';
import type { KnownFault } from '../../../server/watch/watch-site.ts';
import type { Received } from '../fakes/open-smtp-server.ts';
import { startSmtpServer } from '../fakes/smtp-server.ts';
import { lookHere, readInProcess } from './read-in-process.ts';
import { clickRow, storeRows, visitRow } from './rows.ts';
import { makeDataDir, type Site, startApp } from './server-app.ts';

export const REPORT_MAIL_TO = 'growth@site.example, team@site.example';

/** Stores clicks and visits of people at noon of a day, and 60 clicks that must not count. */
export async function storeDay(
  db: Database,
  day: Temporal.PlainDate,
  clicks: number,
  visits: number,
) {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const rows = (n: number, mark = {}) => Array.from({ length: n }, () => clickRow(noon, mark));
  const uncounted = [...rows(30, { is_bot: true }), ...rows(30, { is_internal: true })];
  const views = Array.from({ length: visits }, () => visitRow(noon));
  await storeRows(db, [...rows(clicks), ...uncounted], views);
}

/** Stores visits with a ref, and clicks of them, in the week from November 9 on. */
export async function storeLink(db: Database, referrer: string, visits: number, clicks: number) {
  const noon = Date.parse('2026-11-10T12:00:00Z');
  const click = { referrer, visit_id: randomUUID() };
  await storeRows(
    db,
    Array.from({ length: clicks }, () => clickRow(noon, click)),
    Array.from({ length: visits }, () => visitRow(noon, { referrer })),
  );
}

/** Stores 10 clicks and 40 visits on each day of the four weeks before a day. */
export async function storeUsualDays(db: Database, day: Temporal.PlainDate) {
  for (let days = 1; days <= 28; days++) await storeDay(db, day.subtract({ days }), 10, 40);
}

/**
 * Starts a site that mails its report through a real SMTP server. The test sets its clock, and what
 * the walk over the site has found.
 *
 * @param settings of the built site
 */
export async function startMailing(
  env: Record<string, string> = {},
  dataDir = makeDataDir(),
  settings: Partial<BuiltSite> = {},
) {
  const clock = { now: Date.parse('2026-11-19T12:00:00Z'), refuses: false };
  const smtp = await startSmtpServer({ data: () => (clock.refuses ? 451 : 250) });
  const walk = { faults: null as KnownFault[] | null };
  const site = await startApp({
    env: { SMTP_URL: smtp.url, REPORT_MAIL_TO, ...env },
    site: settings,
    dataDir,
    jobs: [],
    now: () => clock.now,
    senders: {
      reports: { read: readInProcess, look: lookHere, siteWatch: { facts: () => walk.faults } },
    },
  });
  return {
    ...site,
    clock,
    walk,
    /**
     * Runs the job for mails at a time.
     *
     * @returns the mails that it has sent, without the weekly report
     */
    async mailsOf(time: string): Promise<Received[]> {
      clock.now = Date.parse(time);
      const before = smtp.received.length;
      await site.step('report-mails');
      if (clock.refuses) return [];
      return smtp.received.slice(before).filter((mail) => !idOf(mail).startsWith('report-'));
    },
    /** Runs the job. @returns the weekly report that ended on Sunday, November 15 */
    async weekOf(time = '2026-11-16T07:00:00Z'): Promise<Received | undefined> {
      clock.now = Date.parse(time);
      await site.step('report-mails');
      return smtp.received.find((mail) => idOf(mail) === 'report-2026-11-09');
    },
  };
}

export const idOf = ({ messageId = '' }: Received): string =>
  messageId.slice(1).split('@')[0] ?? '';
/** The footer of each mail. */
export const FOOTER = `
--\x20
SMA Data Drive, site.example. Days and times: UTC. REPORT_MAIL_TO names the readers.

`;

/** Expects that a mail's HTML has all words and links of its text, and no other link or file. */
export function expectSameContents({ text = '', html = '' }: Received) {
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => unescapeHtml(url));
  expect(text.match(URLS)).toEqual(links);
  expect(html).not.toMatch(/ src=|url\(|<script|<link/);
  const wordsOf = (words: string) => words.split(/[\s():]+/).filter((word) => word !== '--');
  const shown = wordsOf(unescapeHtml(html.replace(/<[^>]*>/g, ' ')));
  expect(shown).toEqual(expect.arrayContaining(wordsOf(text.replaceAll(URLS, ' '))));
}

const URLS = /https:\/\/\S+/g;
const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescapeHtml = (html: string) => html.replace(/&(#?\w+);/g, (_, name) => SIGNS[name] ?? '');

/**
 * Runs the job for mails once.
 *
 * @param name of a mail
 * @returns message and reason of each line that the job has logged about the mail
 */
export async function loggedAbout(site: Site, name: string) {
  const before = site.logged().length;
  expect(await site.step('report-mails')).toBe(false);
  const lines = site.logged().slice(before);
  return lines.flatMap(({ msg, reason }) =>
    String(msg).includes(name) ? [reason === undefined ? [msg] : [msg, reason]] : [],
  );
}
