/** `backup.json`: the files of a backup, with sizes and checksums. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const MANIFEST = 'backup.json';

const fileSchema = z.object({
  /** Relative to the backup and to the data folder. A manifest cannot name a file outside of them. */
  name: z.string().regex(/^(?:mail\/)?\w[\w.-]*$/, 'must be the name of a file in the data folder'),
  bytes: z.int().nonnegative(),
  /** For a .gz file, after unpacking. Null for a database, a mail, or an archive that cannot be unpacked. */
  lines: z.int().nonnegative().nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Permission bits. */
  mode: z.int().min(0).max(0o777),
  /** The order in which rotated ledgers are read. */
  modified_at: z.iso.datetime({ precision: 3 }),
});
export type BackupFile = z.infer<typeof fileSchema>;

const manifestSchema = z.object({
  format: z.literal(1, { error: 'must be 1: another version of this program made the backup' }),
  /** The backup has everything that the server had confirmed at this time. */
  began_at: z.iso.datetime({ precision: 3 }),
  versions: z.object({ site: z.string(), node: z.string(), sqlite: z.string() }),
  /** With postgres, the registrations and the click index are not in the backup. */
  database: z.enum(['sqlite', 'postgres']),
  registrations: z.object({
    count: z.int().nonnegative(),
    /** The keys that decrypt them. */
    key_ids: z.array(z.string()),
    /** `given`: the server takes them from REGISTRATION_KEYS or REGISTRATION_KEYS_FILE. */
    keys: z.enum(['included', 'left out', 'given']),
  }),
  files: z.array(fileSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** @throws an Error that names the faults of the backup's list of files */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `${path} cannot be read (${(cause as { code?: string }).code}). The folder is not a backup, or the backup is incomplete.`,
      { cause },
    );
  }
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
  throw new Error(`${path} is not valid:\n${faults.join('\n')}`);
}

/** The versions of this program, Node and SQLite. */
export function readVersions(): Manifest['versions'] {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as { version: string };
  return { site: version, node: process.versions.node, sqlite: process.versions.sqlite ?? '' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
