/** Content blockers' lists against each address that the pages call, in the last build. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FiltersEngine, Request } from '@ghostery/adblocker';
import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH, POSTHOG_PATH, VIEW_PATH } from '#contract/limits.ts';
import { findFilterLists, reportSkipped } from '../helpers/run/find-programs.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const SITE = 'https://sma.example';
const lists = findFilterLists();
if (!lists) reportSkipped('content blockers', 'the lists of uBlock Origin are missing');

/** Addresses of requests that a page makes by itself, or after an input. */
const ENDPOINTS = [
  LOG_CTA_PATH,
  `${LOG_CTA_PATH}?via=ping`,
  `${LOG_CTA_PATH}?via=beacon`,
  VIEW_PATH,
  `${POSTHOG_PATH}/e/`,
  '/api/stats',
  '/api/register',
  '/create-account',
  '/r/clinic-7',
];

/** Every file of the built site, and every address of this site in its pages. */
function addresses(): string[] {
  const files = globSync('**/*', { cwd: CLIENT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(CLIENT).length));
  const linked = files
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) => [
      ...readFileSync(join(CLIENT, file), 'utf8').matchAll(/(?:href|src|ping)="(\/[^"]*)"/g),
    ])
    .map(([, path = '']) => path.replaceAll('&amp;', '&'));
  return [...new Set([...files, ...linked])];
}

const TYPES = ['script', 'xhr', 'ping', 'image', 'media', 'font', 'stylesheet', 'other'] as const;

describe.runIf(lists)('EasyList and EasyPrivacy', () => {
  const engine = FiltersEngine.parse(
    (lists ?? []).map((file) => readFileSync(file, 'utf8')).join('\n'),
  );
  const blockedBy = (url: string) =>
    TYPES.flatMap((type) => {
      const { match, filter } = engine.match(
        Request.fromRawDetails({ url, sourceUrl: `${SITE}/`, type }),
      );
      return match ? [`${url} as ${type}: ${filter}`] : [];
    });

  test('block what such lists are for, in both lists', () => {
    expect(blockedBy('https://www.google-analytics.com/analytics.js')).not.toEqual([]);
    expect(blockedBy('https://eu.i.posthog.com/e/')).not.toEqual([]);
    expect(blockedBy('https://securepubads.g.doubleclick.net/tag/js/gpt.js')).not.toEqual([]);
  });

  test('block no address that a page calls', () => {
    const called = [...addresses(), ...ENDPOINTS];
    expect(called).toEqual(expect.arrayContaining([expect.stringMatching(/^\/assets\/.*\.js$/)]));
    expect(called.flatMap((path) => blockedBy(SITE + path))).toEqual([]);
  });
});
