/**
 * Reads what mails of the report need of the site: names of links, notes, addresses of the report,
 * and the first and last lines of a mail.
 */
import { readNaming } from '../causes/read-facts.ts';
import type { Sentence } from '../causes/sentences.ts';
import type { ReportSource } from '../figures/read-report.ts';
import type { Letter, Line } from './letter.ts';

export type MailContext = Awaited<ReturnType<typeof readContext>>;

/** Reads names and notes, and adds the functions of `frameOf`. */
export async function readContext({ db, site }: Pick<ReportSource, 'db' | 'site'>) {
  return { ...(await readNaming(db)), ...frameOf(site) };
}

/**
 * Returns functions that make a line with its address, and a mail with its subject and last lines.
 */
export function frameOf({ siteUrl, timeZone, mail }: ReportSource['site']) {
  const { host } = new URL(siteUrl);
  return {
    /** Makes a line that links to its rows in the report. */
    toLine: ({ text, address }: Sentence): Line => ({ text, url: `${siteUrl}/report?${address}` }),
    /** Makes a mail. Parts without content are left out. */
    toLetter: (subject: string, title: string, parts: Letter['parts']): Letter => ({
      subject: `${mail.productName}: ${subject}`,
      title,
      parts: parts.filter(({ figures = [], lines = [] }) => figures.length + lines.length > 0),
      foot: `${mail.productName}, ${host}. Days and times: ${timeZone}. REPORT_MAIL_TO names the readers.`,
    }),
  };
}
