/**
 * Renders the forms at the end of the report's page. Each form is posted to the page's own address,
 * so that the answer has the same period and filters.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import { type KnownLink, readLinks } from '../../links/known-links.ts';
import { type Note, readNotes } from '../figures/notes.ts';
import type { Report } from '../figures/report.ts';
import { dates, queryOf } from '../page/addresses.ts';
import { dateOf } from '../question.ts';
import type { RouteParts } from '../routes.ts';
import { readShares } from './notes-and-shares.ts';

/** Texts by the name of a field. */
export type Fields = Record<string, string>;

/** What the page shows about a form that was sent. */
export interface FormAnswer {
  /** Value of the form's button: `note`. */
  form: string;
  /** What the reader has typed. */
  values: Fields;
  /** Messages about wrong fields. */
  faults: Fields;
  /** Token of a new address for readers, which only this page shows. null: the form has faults. */
  token: string | null;
}

interface Page extends RouteParts {
  report: Report;
  /** Query of the page's address, with the question mark. */
  query: string;
  answer: FormAnswer | undefined;
}

/** Renders all forms with their lists. */
export async function renderForms(page: Page): Promise<SafeHtml> {
  const link = renderForm('link', page, await renderMadeLinks(page));
  // Before the first visit there is nothing to note or to share, so only links can be made.
  if (page.report.lastDay === null) return html`<div class="forms">${link}</div>`;
  return html`<div class="forms">
${link}
${renderForm('note', page, await renderNotes(page))}
${renderForm('share', page, await renderShares(page))}
</div>`;
}

/** Renders the files of the newest link, and of the link by which the page is filtered. */
async function renderMadeLinks({ db, report }: Page): Promise<SafeHtml> {
  const links = (await readLinks(db)).sort((a, b) => b.madeAt - a.madeAt);
  const [last] = links;
  const shown = links.find(({ key }) => key === report.question.filters.ref);
  const newestLink = last ? renderFiles('Last made', last) : null;
  const ofFilter = shown && shown !== last ? renderFiles('This page’s link', shown) : null;
  return html`${newestLink}${ofFilter}`;
}

/** Renders the newest note, and the list of the period's notes. */
async function renderNotes(page: Page): Promise<SafeHtml> {
  const { db, report } = page;
  const [newest] = (await readNotes(db)).sort((a, b) => b.id.localeCompare(a.id));
  const lastAdded = newest
    ? html`<p class="done">Last added: ${renderNoteLink(newest, report)}</p>`
    : null;
  const rows = report.notes.map((note) => ({ id: note.id, name: noteInWords(note) }));
  return html`${lastAdded}${renderList('note', page, 'Remove', rows, 'Notes of these days')}`;
}

/** Renders a new address for readers, and the list of open ones. */
async function renderShares(page: Page): Promise<SafeHtml> {
  const { db, now, site } = page;
  const lastDay = (endsAt: number) => inWords(dateOf(endsAt - 1, site.timeZone));
  const rows = (await readShares(db, now())).map(({ id, ref, endsAt }) => ({
    id,
    name: `${ref}, until ${lastDay(endsAt)}`,
  }));
  const list = renderList('share', page, 'End', rows, 'Addresses that are open');
  return html`${renderNewAddress(page)}${list}`;
}

const TEXT = html`required autocomplete="off"`;
const CODE = html`maxlength="64" ${TEXT}`;
const DAY = html`type="date" required`;

/** A field of a form. `attributes` belong to its input. */
interface Field {
  name: string;
  label: SafeHtml;
  attributes: SafeHtml;
}

const CODE_FIELD: Field = {
  name: 'code',
  label: html`<b>Code</b>, like clinic-13`,
  attributes: CODE,
};

/** A form. `button` has the words of its button. */
interface Form {
  title: string;
  lead: string;
  button: string;
  fields: Field[];
}

const FORMS: Record<'link' | 'note' | 'share', Form> = {
  link: {
    title: 'Make a link',
    lead: 'For a clinic, an event or a newsletter. You get a short link, QR codes and a leaflet to print. A code has a word, because a spreadsheet would change a number or a date.',
    button: 'Make link',
    fields: [
      CODE_FIELD,
      {
        name: 'name',
        label: html`<b>Name</b>, only seen here`,
        attributes: html`maxlength="80" ${TEXT}`,
      },
    ],
  },
  note: {
    title: 'Add a note',
    lead: 'It appears as a flag under the chart.',
    button: 'Add note',
    fields: [
      { name: 'day', label: html`<b>Day</b>`, attributes: DAY },
      {
        name: 'note',
        label: html`<b>What happened</b>`,
        attributes: html`maxlength="60" ${TEXT}`,
      },
    ],
  },
  share: {
    title: 'Share with one clinic',
    lead: 'The clinic sees only the last whole month of this link. Figures from 1 to 10 are hidden.',
    button: 'Share',
    fields: [CODE_FIELD, { name: 'until', label: html`<b>Until</b>`, attributes: DAY }],
  },
};

/** Renders a form. @param after HTML below the form */
function renderForm(id: keyof typeof FORMS, page: Page, after: SafeHtml): SafeHtml {
  const { title, lead, button, fields } = FORMS[id];
  const inputs = fields.map((field) => renderField(id, page, field));
  const send = html`<button name="form" value="${id}">${button}</button>`;
  return html`<section aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>
<p class="lead">${lead}</p>
<form class="mk" ${renderPosting(page)}>${inputs}${send}</form>
${after}
</section>`;
}

/** Renders a field. After a fault it has what the reader has typed, and the message. */
function renderField(id: keyof typeof FORMS, page: Page, field: Field): SafeHtml {
  const { name, label, attributes } = field;
  const { values = {}, faults = {} } = page.answer?.form === id ? page.answer : {};
  const today = String(dateOf(page.now(), page.site.timeZone));
  const value = values[name] ?? (name === 'day' ? today : '');
  const fault = printable(faults[name] ?? '');
  const faultId = `fault-${id}-${name}`;
  const focus = name === Object.keys(faults)[0] ? html` autofocus` : null;
  const faultAttributes = html` aria-invalid="true" aria-describedby="${faultId}"${focus}`;
  const message = html`<p class="dn" id="${faultId}">${fault}</p>`;
  const input = html`<input name="${name}" ${attributes} value="${value}"${fault ? faultAttributes : null}>`;
  return html`<div><label>${label}${input}</label>${fault ? message : null}</div>`;
}

/** Renders the attributes of a form that is posted to the page's own address. */
const renderPosting = ({ query }: Page): SafeHtml => html`method="post" action="${query || '?'}"`;

type Rows = readonly { id: string; name: string }[];

/** Renders a closed list whose rows have a button to delete them. */
function renderList(
  form: 'note' | 'share',
  page: Page,
  button: string,
  rows: Rows,
  title: string,
): SafeHtml | null {
  if (rows.length === 0) return null;
  const items = rows.map(({ id, name }) => {
    const words = printable(name);
    const hidden = html`<input type="hidden" name="id" value="${id}">`;
    const label = html`${button}<span class="vh"> ${words}</span>`;
    const remove = html`<button class="lo" name="form" value="un${form}">${label}</button>`;
    return html`<li>${words}<form ${renderPosting(page)}>${hidden}${remove}</form></li>`;
  });
  const summary = html`<summary>${title}: ${rows.length}</summary>`;
  return html`<details>${summary}<ul class="nts">${items}</ul></details>`;
}

/** Renders a link to the report of the note's day, which the page may not show. */
const renderNoteLink = (note: Note, { question }: Report): SafeHtml =>
  html`<a href="${queryOf(question, dates(note.day, note.day))}">${printable(noteInWords(note))}</a>`;

/** Renders the addresses of a link's files. @param name says which link it is: `Last made` */
function renderFiles(name: string, { ref }: KnownLink): SafeHtml {
  const code = encodeURIComponent(ref);
  const leaflet = `report/links/${code}`;
  const spanish = '?language=es';
  const renderCode = (file: string, words: string): SafeHtml => {
    const url = `${leaflet}/${file}`;
    return html`<a href="${url}">${words}</a> (<a href="${url}${spanish}">Spanish</a>)`;
  };
  const codes = html`${renderCode('qr', 'QR code')}, ${renderCode('qr.png', 'as PNG')}`;
  const english = html`<a href="${leaflet}">English</a>`;
  return html`<p class="done">${name}: ${printable(ref)}. <a href="r/${code}">Short link</a>, ${codes},
leaflet in ${english} and <a href="${leaflet}${spanish}">Spanish</a>.</p>`;
}

/** Renders the address that was just made for readers. The database has only its token's hash. */
function renderNewAddress({ answer, site }: Page): SafeHtml | null {
  if (!answer?.token) return null;
  const url = `${site.siteUrl}/report/shared/${answer.token}`;
  const label = html`<b>Address for readers</b>, shown only now`;
  return html`<p class="done"><label>${label}<input readonly autofocus value="${url}"></label></p>`;
}

/** Writes a note with its day. */
const noteInWords = ({ day, note }: Note): string =>
  `${inWords(Temporal.PlainDate.from(day))}: ${note}`;

/** Writes a date: `Jan 31, 2026`. */
const inWords = (day: Temporal.PlainDate): string =>
  day.toLocaleString('en-US', { dateStyle: 'medium' });
