/** `site report`: the page of /report, or its CSV, on standard output. */
import { readBuiltSite } from '../built-site.ts';
import { printPage } from '../report/page/print-page.ts';
import { printCsv } from '../report/print-csv.ts';
import { readQuestion } from '../report/question.ts';
import { readReport } from '../report/read-report.ts';
import { withDatabase } from './with-database.ts';

/** @param fields of the question, as in the address of /report */
export async function printReport(
  { csv, build, ...fields }: { csv?: boolean; build: string; [field: string]: unknown },
  print: (text: string) => void,
): Promise<void> {
  const site = readBuiltSite(build);
  const question = readQuestion(fields, site.timeZone, Date.now());
  await withDatabase(async (db, settings) => {
    const report = await readReport({ settings, db, site }, question);
    print(csv ? printCsv(report) : printPage(report));
  });
}
