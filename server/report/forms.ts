/** The forms at the end of the report's page. Each posts to the page's own address, which keeps its period and filters. */
import type { Database } from '../database/database.ts';
import { type KnownLink, lastLink } from '../links/known-links.ts';
import { escapeHtml } from '../text/safe-text.ts';
import type { Note } from './model.ts';
import { lastNote } from './notes.ts';
import { text } from './page/words.ts';
import { dateOf } from './question.ts';
import { readShares } from './shares.ts';

/** The page says it about a form that was sent. */
export interface FormAnswer {
  form: string;
  values: Record<string, string>;
  /** Messages by field. */
  faults: Record<string, string>;
  /** Of a new address for readers, which the page shows once; null: the form has faults. */
  token: string | null;
}

interface Page {
  /** Of its days: it can remove them. */
  notes: Note[];
  /** Before the first visit: the page has the form of a link alone. */
  isNew: boolean;
  timeZone: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Of its address, with the question mark. */
  query: string;
  siteUrl: string;
  answer: FormAnswer | null;
}

export async function printForms(db: Database, page: Page): Promise<string> {
  const { notes, now, timeZone } = page;
  const last = await lastLink(db);
  const link = printForm('link', page, LINK, last ? lastMade(last) : '');
  if (page.isNew) return `<div class="forms">${link}</div>`;
  const newest = await lastNote(db);
  const shares = await readShares(db, now);
  const says = ({ day, note }: Note) => `${inWords(Temporal.PlainDate.from(day))}: ${note}`;
  const noteRows = notes.map((note) => ({ id: note.id, name: says(note) }));
  const shareRows = shares.map(({ tokenHash, ref, endsAt }) => ({
    id: tokenHash,
    name: `${ref}, until ${inWords(dateOf(endsAt - 1, timeZone))}`,
  }));
  // It may be of a day that the page does not show.
  const lastAdded = newest ? `<p class="done">Last added: ${text(says(newest))}</p>` : '';
  return `<div class="forms">
${link}
${printForm('note', page, NOTE, lastAdded + list('note', page, 'Remove', noteRows, 'Notes of these days'))}
${printForm('share', page, SHARE, newAddress(page) + list('share', page, 'End', shareRows, 'Addresses that are open'))}
</div>`;
}

const TYPED = 'required autocomplete="off"';
const DAY = 'type="date" required';

const LINK = {
  title: 'Make a link',
  lead: 'For a clinic, an event or a newsletter. You get a short link, a QR code and a leaflet to print.',
  button: 'Make link',
  fields: [
    ['code', '<b>Code</b>, like clinic-13', `maxlength="64" ${TYPED}`],
    ['name', '<b>Name</b>, only seen here', `maxlength="80" ${TYPED}`],
  ],
};
const NOTE: typeof LINK = {
  title: 'Add a note',
  lead: 'It appears as a flag under the chart.',
  button: 'Add note',
  fields: [
    ['day', '<b>Day</b>', DAY],
    ['note', '<b>What happened</b>', `maxlength="60" ${TYPED}`],
  ],
};
const SHARE: typeof LINK = {
  title: 'Share with one clinic',
  lead: 'The clinic sees this link’s figures alone, for each of the last six whole months. Figures from 1 to 10 are hidden.',
  button: 'Share',
  fields: [
    ['code', '<b>Code</b>, like clinic-13', `maxlength="64" ${TYPED}`],
    ['until', '<b>Until</b>', DAY],
  ],
};

/** @param after what follows the form */
function printForm(id: string, page: Page, form: typeof LINK, after: string): string {
  const sent = page.answer?.form === id ? page.answer : null;
  const fields = form.fields.map(([name = '', label, attributes]) => {
    const value = escapeHtml(
      sent?.values[name] ?? (name === 'day' ? String(dateOf(page.now, page.timeZone)) : ''),
    );
    const fault = sent?.faults[name];
    const isFirst = fault !== undefined && fault === Object.values(sent?.faults ?? {})[0];
    const described = fault
      ? ` aria-invalid="true" aria-describedby="fault-${id}-${name}"${isFirst ? ' autofocus' : ''}`
      : '';
    const said = fault ? `<p class="dn" id="fault-${id}-${name}">${escapeHtml(fault)}</p>` : '';
    return `<div><label>${label}<input name="${name}" ${attributes} value="${value}"${described}></label>${said}</div>`;
  });
  return `<section aria-labelledby="h-${id}"><h2 id="h-${id}">${form.title}</h2>
<p class="lead">${form.lead}</p>
<form class="mk" ${posted(page)}>${fields.join('')}<button name="form" value="${id}">${form.button}</button></form>
${after}
</section>`;
}

const posted = ({ query }: Page) => `method="post" action="${escapeHtml(query || '?')}"`;

/** A folded list whose rows can be deleted. */
function list(
  id: string,
  page: Page,
  button: string,
  rows: { id: string; name: string }[],
  title: string,
): string {
  const items = rows.map(({ id: row, name }) => {
    const fields = `<input type="hidden" name="id" value="${row}"><button class="lo" name="form" value="un${id}">${button}<span class="vh"> ${text(name)}</span></button>`;
    return `<li>${text(name)}<form ${posted(page)}>${fields}</form></li>`;
  });
  return rows.length > 0
    ? `<details><summary>${title}: ${rows.length}</summary><ul class="nts">${items.join('')}</ul></details>`
    : '';
}

function lastMade({ ref }: KnownLink): string {
  const path = escapeHtml(encodeURIComponent(ref));
  return `<p class="done">Last made: ${text(ref)}. <a href="r/${path}">Short link</a>, <a href="report/links/${path}/qr">QR code</a> (<a href="report/links/${path}/qr?language=es">Spanish</a>), leaflet in <a href="report/links/${path}">English</a> and <a href="report/links/${path}?language=es">Spanish</a>.</p>`;
}

const newAddress = ({ answer, siteUrl }: Page): string =>
  answer?.token
    ? `<p class="done"><label><b>Address for readers</b>, shown only now<input readonly autofocus value="${siteUrl}/report/shared/${answer.token}"></label></p>`
    : '';

const inWords = (day: Temporal.PlainDate): string =>
  day.toLocaleString('en-US', { dateStyle: 'medium' });
