import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads all built pages.
 *
 * @param client the folder of the pages
 * @returns HTML and path of each file, such as `help/index.html`, in the order of the paths
 */
export async function readPages(client: string): Promise<{ file: string; html: string }[]> {
  const files = await Array.fromAsync(glob('**/*.html', { cwd: client }));
  return Promise.all(
    files.sort().map(async (file) => ({ file, html: await readFile(join(client, file), 'utf8') })),
  );
}
