/** Reads the pages and files of the build, with which the site's address must answer. */
import { createHash } from 'node:crypto';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltPage } from './page-faults.ts';

export interface BuiltFile {
  /** `/assets/entries/a.js`. */
  path: string;
  bytes: number;
  /** Of its content; null for a large file, of which the walk asks only for the size. */
  sha256: string | null;
}

/** Films are larger. They would be most of the bytes that a walk reads. */
const LARGE_BYTES = 512 * 1024;
/** Files of pages, browser tabs and link previews. Proxies may write robots.txt themselves. */
const FILES = '{assets,video,og}/**/*.*';
const ICONS = '*.{ico,png,svg}';

export async function readBuild(distDir: string) {
  const client = join(distDir, 'client');
  const names = await list(client, '**/index.html');
  const fileNames = await list(client, [FILES, ICONS]);
  const pages = await Promise.all(names.map((name) => readPage(client, name)));
  const files = await Promise.all(fileNames.map((name) => readBuiltFile(client, name)));
  return { pages, files };
}

/** Lists files, short paths first, because the sentence of a fault names the first ones. */
async function list(client: string, pattern: string | string[]): Promise<string[]> {
  const names = await Array.fromAsync(glob(pattern, { cwd: client }));
  const served = names.filter((name) => !/\.(?:br|gz)$/.test(name));
  return served.sort((a, b) => a.length - b.length || a.localeCompare(b));
}

const readPage = async (client: string, name: string): Promise<BuiltPage> => ({
  path: `/${name.replace(/index\.html$/, '')}`,
  html: await readFile(join(client, name), 'utf8'),
});

async function readBuiltFile(client: string, name: string): Promise<BuiltFile> {
  const file = join(client, name);
  const path = `/${name}`;
  const { size } = await stat(file);
  if (size > LARGE_BYTES) return { path, bytes: size, sha256: null };
  return { path, bytes: size, sha256: hashOf(await readFile(file)) };
}

export const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64');
