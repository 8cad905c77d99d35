/** What the mails take from the site: names of links, notes, addresses of the report, and the frame of a letter. */
import { printable } from '../../html/safe-text.ts';
import { readLinks } from '../../links/known-links.ts';
import type { Sentence } from '../causes/sentences.ts';
import { type NameOf, plainNames } from '../causes/words.ts';
import { readNotes } from '../figures/notes.ts';
import type { ReportSource } from '../figures/read-report.ts';
import { describeValue } from '../figures/selection.ts';
import type { Letter, Line } from './letter.ts';

export type MailContext = Awaited<ReturnType<typeof readContext>>;

export async function readContext({ db, site }: Pick<ReportSource, 'db' | 'site'>) {
  const names = new Map((await readLinks(db)).map(({ key, name }) => [key, name]));
  const nameOf: NameOf = (dimension, value) => {
    if (dimension === 'ref') return printable(names.get(value) ?? value);
    if (dimension === 'class') return describeValue(dimension, value).name;
    if (dimension === 'cta') return `Button (${describeValue(dimension, value).code || value})`;
    return printable(plainNames(dimension, value));
  };
  return { nameOf, notes: await readNotes(db), ...frameOf(site) };
}

/** What each mail has around its words. */
export function frameOf({ siteUrl, timeZone, mail }: ReportSource['site']) {
  const { host } = new URL(siteUrl);
  return {
    /** A line whose rows the report shows. */
    toLine: ({ text, address }: Sentence): Line => ({ text, url: `${siteUrl}/report?${address}` }),
    toLetter: (subject: string, title: string, parts: Letter['parts']): Letter => ({
      subject: `${mail.productName}: ${subject}`,
      title,
      parts: parts.filter(({ figures = [], lines = [] }) => figures.length + lines.length > 0),
      foot: `${mail.productName}, ${host}. Days and times: ${timeZone}. REPORT_MAIL_TO names the readers.`,
    }),
  };
}
