import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { SITE_FILE } from '#site.config.ts';
import { withBuildLock } from './build.ts';

export interface BuiltPages {
  index: string;
  missing: string;
  /** Reads any other file of the site. */
  read: (path: string) => Promise<string>;
}

/** Prerenders the present code into a folder other than `dist`, so that a test never reads an old page. */
export async function buildPages(
  siteFile = SITE_FILE,
  dist = 'node_modules/.cache/pages',
): Promise<BuiltPages> {
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'production', BUILT_SITE_FILE: siteFile, BUILT_SITE_DIR: dist },
  };
  await withBuildLock(() =>
    promisify(execFile)(process.execPath, ['node_modules/vike/bin.js', 'build'], { env }),
  );
  const read = (path: string) => readFile(`${dist}/client/${path}`, 'utf8');
  return { index: await read('index.html'), missing: await read('404.html'), read };
}

/** @returns the visible text of HTML: without tags and code, with one space between words */
export function textOf(html: string): string {
  return html
    .replace(/<(script|style|svg)[\s>].*?<\/\1>/gs, ' ')
    .replace(/<\/?(?:p|h\d|li|div|dt|dd|figcaption|section|br)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&amp;/g, '&')
    .replace(/&#x27;/g, "'")
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}
