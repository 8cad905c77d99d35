/**
 * What the mails take from the site: names of links, notes, addresses of the report, and the frame
 * of a letter.
 */
import { readNaming } from '../causes/read-facts.ts';
import type { Sentence } from '../causes/sentences.ts';
import type { ReportSource } from '../figures/read-report.ts';
import type { Letter, Line } from './letter.ts';

export type MailContext = Awaited<ReturnType<typeof readContext>>;

export async function readContext({ db, site }: Pick<ReportSource, 'db' | 'site'>) {
  return { ...(await readNaming(db)), ...frameOf(site) };
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
