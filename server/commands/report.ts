/** `site report`: prints the page of /report, or its CSV file, to standard output. */
import { readBuiltSite } from '../built-site.ts';
import { writeCsv } from '../report/downloads/downloads.ts';
import { readReport } from '../report/figures/read-report.ts';
import { renderReport } from '../report/page/render-page.ts';
import { withDatabase } from './common.ts';

/** Reads and prints a report. @param options `csv`, `build`, and the parameters of /report */
export async function printReport(options: Record<string, unknown>): Promise<void> {
  const { csv, build, ...fields } = options;
  const site = readBuiltSite(String(build));
  await withDatabase(async (db, settings) => {
    const report = await readReport({ settings, db, site }, fields);
    process.stdout.write(csv ? writeCsv(report) : renderReport(report));
  });
}
