/** `npm run accept-clock`: tells a server that refuses to delete by age that its clock is right. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeClockFile } from '../server/clock/clock-file.ts';
import { readConfig } from '../server/config.ts';
import { print, runProgram } from './run-program.ts';

const HELP = `Usage: npm run accept-clock

A server whose clock is days ahead of what it expects deletes nothing by age and lets no mail expire. Compare the clock
with another one first ("date -u"). If it is right, this command says so to the server of DATA_DIR (./data), which
notices within ten minutes.
`;

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return print(HELP);
  const { dataDir, files } = readConfig(process.env);
  if (!existsSync(dataDir)) throw new Error(`There is no data in ${dataDir}. Is DATA_DIR right?`);
  const now = Date.now();
  writeClockFile(files.clock, now);
  print(`Accepted: it is ${new Date(now).toISOString()}.\n`);
});
