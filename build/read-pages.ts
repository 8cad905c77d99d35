import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads every built page, with its file below the folder. */
export async function readPages(client: string): Promise<{ file: string; html: string }[]> {
  const files = await Array.fromAsync(glob('**/*.html', { cwd: client }));
  return Promise.all(
    files.sort().map(async (file) => ({ file, html: await readFile(join(client, file), 'utf8') })),
  );
}
