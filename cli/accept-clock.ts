/** `npm run accept-clock`: an operator confirms the clock of a server that therefore deletes nothing by age. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeClockFile } from '../server/clock/clock-file.ts';
import { readConfig } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';
import { dataFolders } from './data-folders.ts';
import { print, runProgram } from './run-program.ts';

const HELP = `Usage: npm run accept-clock

If a server's clock is days ahead of the expected time, the server deletes nothing by age and no mail expires. First
compare the clock with another one ("date -u"). If it is right, run this command. The server of DATA_DIR (./data)
notices within ten minutes; without DATA_DIR, those of REPORT_LEDGERS.
`;

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return print(HELP);
  const folders = dataFolders(readConfig(process.env));
  for (const folder of folders)
    if (!existsSync(folder)) throw new Error(`There is no data in ${folder}. Is DATA_DIR right?`);
  const now = Date.now();
  for (const folder of folders) writeClockFile(dataFiles(folder).clock, now);
  print(`Accepted: it is ${new Date(now).toISOString()}.\n`);
});
