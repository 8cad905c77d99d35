/** `site report`: the page of /report, or its CSV, on standard output. */
import { readBuiltSite } from '../built-site.ts';
import { printCsv } from '../report/downloads/downloads.ts';
import { readReport } from '../report/figures/read-report.ts';
import { printPage } from '../report/page/print-page.ts';
import { withDatabase } from './common.ts';

/** @param options also the fields of the question, as in the address of /report */
export async function printReport(options: Record<string, unknown>): Promise<void> {
  const { csv, build, ...fields } = options;
  const site = readBuiltSite(String(build));
  await withDatabase(async (db, settings) => {
    const report = await readReport({ settings, db, site }, fields);
    process.stdout.write(csv ? printCsv(report) : printPage(report));
  });
}
