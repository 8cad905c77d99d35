/** `registrations export`: all registrations, decrypted, in one file. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Settings } from '../server/settings.ts';
import { withoutFormula } from '../server/text/csv-cell.ts';
import { givenPath } from './given-path.ts';
import { eachRegistration, withRegistrations } from './read-registrations.ts';
import { UsageError } from './usage-error.ts';

interface Entry {
  id: string;
  registeredAt: string;
  firstName: string;
  lastName: string;
  email: string;
  smaType: string | null;
  /** The language of the form's page, such as `es`. */
  language: string;
}

interface Format {
  head: string;
  /** Separates two entries. */
  between: string;
  tail: string;
  entry(entry: Entry): string;
}

const COLUMNS = [
  'id',
  'registeredAt',
  'firstName',
  'lastName',
  'email',
  'smaType',
  'language',
] as const;
const FORMATS: Record<string, Format> = {
  csv: {
    head: `${COLUMNS.join(',')}\r\n`,
    between: '',
    tail: '',
    entry: (entry) => `${COLUMNS.map((column) => csvCell(entry[column] ?? '')).join(',')}\r\n`,
  },
  json: { head: '[\n', between: ',\n', tail: '\n]\n', entry: (entry) => JSON.stringify(entry) },
};

export async function exportRegistrations(
  config: Settings,
  { format: name, to: given }: { format?: string | undefined; to?: string | undefined },
  print: (text: string) => void,
): Promise<void> {
  const format = FORMATS[name ?? ''];
  if (!format) throw new UsageError('--format must be csv or json');
  if (!given) throw new UsageError('--to must name the file to write');
  const to = givenPath(given);
  await withRegistrations(config, async (store, ring) => {
    const file = await openNew(to);
    try {
      const count = await writeAll(file, format, eachRegistration(store, ring));
      await file.sync();
      print(
        `${count} registrations are in ${to}. Only you can read it. Delete it when you no longer need it.\n`,
      );
    } catch (cause) {
      await rm(to, { force: true });
      throw cause;
    } finally {
      await file.close();
    }
  });
}

async function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch((cause) => {
    const isThere = (cause as { code?: unknown }).code === 'EEXIST';
    throw isThere ? new Error(`${path} exists already: name another file.`, { cause }) : cause;
  });
}

async function writeAll(
  file: FileHandle,
  format: Format,
  entries: ReturnType<typeof eachRegistration>,
): Promise<number> {
  let count = 0;
  await file.write(format.head);
  for await (const { row, person } of entries) {
    const { language = 'en', ...fields } = person;
    const entry = { id: row.id, registeredAt: row.createdAt.toISOString(), ...fields, language };
    await file.write(`${count === 0 ? '' : format.between}${format.entry(entry)}`);
    count += 1;
  }
  await file.write(format.tail);
  return count;
}

/** Quotes every value. */
const csvCell = (value: string): string => `"${withoutFormula(value).replaceAll('"', '""')}"`;
