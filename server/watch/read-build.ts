/** Reads the pages and files of the build, which the site's public address must serve. */
import { createHash } from 'node:crypto';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltPage } from './page-faults.ts';

export interface BuiltFile {
  /** Path of the file: `/assets/entries/a.js`. */
  path: string;
  bytes: number;
  /** Hash of the content in base64. null: a large file, whose size only is compared. */
  sha256: string | null;
}

/**
 * Files above this size, such as films, are not downloaded by a walk: they would be most of its
 * bytes.
 */
const LARGE_BYTES = 512 * 1024;
/** Files that pages and link previews load. */
const FILES = '{assets,video,og}/**/*.*';
/**
 * Icons of browser tabs. Other files of the top folder, such as robots.txt, proxies may replace.
 */
const ICONS = '*.{ico,png,svg}';

/** Reads all pages and files of a build. @param distDir folder of the build */
export async function readBuild(distDir: string) {
  const client = join(distDir, 'client');
  const names = await list(client, '**/index.html');
  const fileNames = await list(client, [FILES, ICONS]);
  const pages = await Promise.all(names.map((name) => readPage(client, name)));
  const files = await Promise.all(fileNames.map((name) => readBuiltFile(client, name)));
  return { pages, files };
}

/** Lists files, the shortest paths first, because a fault's sentence names the first ones. */
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

/** Returns the SHA-256 hash of a content in base64. */
export const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64');
