/**
 * The forms at the end of the report's page, and what they save. Each posts to the page's own
 * address, which keeps its period and filters.
 */
import { type Database, write } from '../../database/database.ts';
import { text } from '../../html/html-page.ts';
import { escapeHtml } from '../../html/safe-text.ts';
import { HttpError, readValid } from '../../http/http-error.ts';
import {
  findLink,
  type KnownLink,
  linkSchema,
  nameLink,
  readLinks,
} from '../../links/known-links.ts';
import { type Note, readNotes } from '../figures/notes.ts';
import type { Report } from '../figures/report.ts';
import { createLinks, dates } from '../page/addresses.ts';
import { dateOf } from '../question.ts';
import type { Parts } from '../routes.ts';
import {
  addNote,
  DELETE,
  makeShare,
  noteSchema,
  readShares,
  shareSchema,
} from './notes-and-shares.ts';

export type Fields = Record<string, string>;

/** The page says it about a form that was sent. */
export interface FormAnswer {
  form: string;
  values: Fields;
  /** Messages by field. */
  faults: Fields;
  /** Of a new address for readers, which the page shows once; null: the form has faults. */
  token: string | null;
}

interface Page extends Parts {
  report: Report;
  /** Of its address, with the question mark. */
  query: string;
  answer: FormAnswer | undefined;
}

export async function printForms(page: Page): Promise<string> {
  const { db, now, site, report } = page;
  const known = (await readLinks(db)).sort((a, b) => b.madeAt - a.madeAt);
  const [last] = known;
  const shown = known.find(({ key }) => key === report.question.filters.ref);
  const made = last ? filesOf('Last made', last) : '';
  const ofFilter = shown && shown !== last ? filesOf('This page’s link', shown) : '';
  const link = printForm('link', page, made + ofFilter);
  // Before the first visit there is nothing to note or to share.
  if (report.lastDay === null) return `<div class="forms">${link}</div>`;
  const noteInWords = ({ day, note }: Note) => `${inWords(Temporal.PlainDate.from(day))}: ${note}`;
  const [newest] = (await readNotes(db)).sort((a, b) => b.id.localeCompare(a.id));
  const lastAdded = newest
    ? `<p class="done">Last added: ${ofDay(newest, noteInWords(newest), report)}</p>`
    : '';
  const notes = report.notes.map((note) => [note.id, noteInWords(note)] as const);
  const lastDay = (endsAt: number) => inWords(dateOf(endsAt - 1, site.timeZone));
  const open = await readShares(db, now());
  const shares = open.map((one) => [one.id, `${one.ref}, until ${lastDay(one.endsAt)}`] as const);
  return `<div class="forms">
${link}
${printForm('note', page, lastAdded + list('note', page, 'Remove', notes, 'Notes of these days'))}
${printForm('share', page, newAddress(page) + list('share', page, 'End', shares, 'Addresses that are open'))}
</div>`;
}

const TYPED = 'required autocomplete="off"';
const DAY = 'type="date" required';

const FORMS = {
  link: {
    title: 'Make a link',
    lead: 'For a clinic, an event or a newsletter. You get a short link, QR codes and a leaflet to print. A code has a word, because a spreadsheet would change a number or a date.',
    button: 'Make link',
    fields: [
      ['code', '<b>Code</b>, like clinic-13', `maxlength="64" ${TYPED}`],
      ['name', '<b>Name</b>, only seen here', `maxlength="80" ${TYPED}`],
    ],
  },
  note: {
    title: 'Add a note',
    lead: 'It appears as a flag under the chart.',
    button: 'Add note',
    fields: [
      ['day', '<b>Day</b>', DAY],
      ['note', '<b>What happened</b>', `maxlength="60" ${TYPED}`],
    ],
  },
  share: {
    title: 'Share with one clinic',
    lead: 'The clinic sees the last whole month of this link alone. Figures from 1 to 10 are hidden.',
    button: 'Share',
    fields: [
      ['code', '<b>Code</b>, like clinic-13', `maxlength="64" ${TYPED}`],
      ['until', '<b>Until</b>', DAY],
    ],
  },
};

/** @param after what follows the form */
function printForm(id: keyof typeof FORMS, page: Page, after: string): string {
  const { title, lead, button, fields } = FORMS[id];
  const { values = {}, faults = {} } = page.answer?.form === id ? page.answer : {};
  const today = String(dateOf(page.now(), page.site.timeZone));
  const inputs = fields.map(([name = '', label, attributes]) => {
    const value = escapeHtml(values[name] ?? (name === 'day' ? today : ''));
    const fault = faults[name];
    const focus = name === Object.keys(faults)[0] ? ' autofocus' : '';
    const marks = ` aria-invalid="true" aria-describedby="fault-${id}-${name}"${focus}`;
    const says = `<p class="dn" id="fault-${id}-${name}">${escapeHtml(fault ?? '')}</p>`;
    return `<div><label>${label}<input name="${name}" ${attributes} value="${value}"${fault ? marks : ''}></label>${fault ? says : ''}</div>`;
  });
  return `<section aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>
<p class="lead">${lead}</p>
<form class="mk" ${posted(page)}>${inputs.join('')}<button name="form" value="${id}">${button}</button></form>
${after}
</section>`;
}

const posted = ({ query }: Page) => `method="post" action="${escapeHtml(query || '?')}"`;

type Rows = (readonly [id: string, name: string])[];

/** A folded list whose rows can be deleted. */
function list(form: string, page: Page, button: string, rows: Rows, title: string): string {
  const items = rows.map(([id, name]) => {
    const fields = `<input type="hidden" name="id" value="${id}"><button class="lo" name="form" value="un${form}">${button}<span class="vh"> ${text(name)}</span></button>`;
    return `<li>${text(name)}<form ${posted(page)}>${fields}</form></li>`;
  });
  return rows.length > 0
    ? `<details><summary>${title}: ${rows.length}</summary><ul class="nts">${items.join('')}</ul></details>`
    : '';
}

/** Leads to the note's day, because the page may show others. */
const ofDay = ({ day }: Note, words: string, { question }: Report) =>
  createLinks(question, true).to(dates(day, day), text(words));

function filesOf(name: string, { ref }: KnownLink): string {
  const path = escapeHtml(encodeURIComponent(ref));
  const code = (file: string, words: string) =>
    `<a href="report/links/${path}/${file}">${words}</a> (<a href="report/links/${path}/${file}?language=es">Spanish</a>)`;
  return `<p class="done">${name}: ${text(ref)}. <a href="r/${path}">Short link</a>, ${code('qr', 'QR code')}, ${code('qr.png', 'as PNG')},
leaflet in <a href="report/links/${path}">English</a> and <a href="report/links/${path}?language=es">Spanish</a>.</p>`;
}

const newAddress = ({ answer, site }: Page): string =>
  answer?.token
    ? `<p class="done"><label><b>Address for readers</b>, shown only now<input readonly autofocus value="${site.siteUrl}/report/shared/${answer.token}"></label></p>`
    : '';

const inWords = (day: Temporal.PlainDate): string =>
  day.toLocaleString('en-US', { dateStyle: 'medium' });

/**
 * @param wasUsed whether visits or clicks of the last 90 days have a code
 * @returns the token of a new address for readers; null: another form
 */
export async function saveForm(
  { db, now, site }: Parts,
  values: Fields,
  wasUsed: (code: string) => Promise<boolean>,
): Promise<string | null> {
  const { form, id = '' } = values;
  const { timeZone } = site;
  if (form === 'share') {
    const { code, until } = readValid(shareSchema(dateOf(now(), timeZone)), values);
    const link = await findLink(db, code);
    if (!link && !(await wasUsed(code))) throw codeFault(UNKNOWN_CODE);
    const end = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timeZone);
    return makeShare(db, link?.ref ?? code, end.epochMilliseconds, now());
  }
  if (form === 'link') {
    const { code, name } = readValid(linkSchema, values);
    const known = await findLink(db, code);
    const isFree = !known || (known.name === name && known.ref === code);
    if (!(isFree && (await nameLink(db, code, name, now()))))
      throw codeFault(await takenBy(db, code));
  } else if (form === 'note') await addNote(db, readValid(noteSchema, values));
  else if (form === 'unnote' || form === 'unshare') await write(db, DELETE[form], [id]);
  else throw new HttpError(400, 'validation_failed', 'The report has no such form.');
  return null;
}

const takenBy = async (db: Database, code: string) =>
  `It is the code of “${(await findLink(db, code))?.name}”. Choose another one.`;

const UNKNOWN_CODE =
  'No link has this code, and nobody came with it in the last 90 days. Make the link first.';

const codeFault = (message: string) =>
  new HttpError(400, 'validation_failed', 'Please check the code.', { fields: { code: message } });
