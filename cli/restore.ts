/** `npm run restore`: copies a backup into a data folder. */
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';
import { givenPath } from './given-path.ts';
import { restoreBackup } from './restore-backup.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run restore -- --from FOLDER [--to DATA_DIR]

Checks each file of a backup against FOLDER/backup.json, then copies the files into the data folder: DATA_DIR (./data),
or the folder that --to names. It overwrites nothing. Stop the server of that folder first.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options });
  if (values.help) return print(HELP);
  if (!values.from) throw new UsageError('--from must name the folder of the backup');
  const { dataDir } = readConfig(process.env);
  const folder = values.to ? givenPath(values.to) : dataDir;
  await restoreBackup(givenPath(values.from), dataFiles(folder), print);
});
