import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { VISIT_PROPERTIES } from '../../server/posthog/visit-properties.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md']);
const SCRIPTS = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
/**
 * A file or folder of ours in backticks: its first part is a top folder. Names with … or < are
 * patterns.
 */
const PATH = /`([a-z0-9]+\/[\w./+-]*\w\/?)`/g;
const TOP_FOLDERS = globSync('*/').map((folder) => folder.replace(/\/$/, ''));
const NOT_OURS = ['dist', 'data', 'node_modules'];

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  test('links to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, path = '', anchor]) => {
      const file = path ? join(dirname(page), path) : page;
      return !existsSync(file) || (anchor && !anchorsOf(file).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names files and folders that exist', () => {
    const paths = [...text.matchAll(PATH)].map(([, path = '']) => path);
    const ours = paths.filter((path) => {
      const top = path.split('/')[0] ?? '';
      return TOP_FOLDERS.includes(top) && !NOT_OURS.includes(top);
    });
    expect(ours.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names npm scripts that exist', () => {
    const names = [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !(name in SCRIPTS))).toEqual([]);
  });
});

const FILES = globSync('**', {
  exclude: (path) => [...NOT_OURS, '.git'].includes(path.split('/')[0] ?? ''),
});
const NAMES = new Set(FILES.map((file) => basename(file)));
/**
 * A file's name, with or without its folder. Not a part of a command, of an address or of a
 * pattern.
 */
const FILE_NAME =
  /(?<![\w.@/<*?-])(?:[\w.@+-]+\/)*[\w.+@-]+\.(?:tsx?|m?js|css|md|sql|svg|sh|ya?ml|json)\b(?![?(/])/g;
const NOT_A_FILE = ['Node.js'];

test('comments name files that exist', () => {
  const commented = FILES.filter((file) => /\.(tsx?|m?js|css)$/.test(file));
  const named = commented.flatMap((file) =>
    commentsOf(file).flatMap(({ line, text }) =>
      [...text.matchAll(FILE_NAME)].map(([name]) => ({ file, line, name })),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    ({ file, name }) => !NOT_A_FILE.includes(name) && !isThere(file, name),
  );
  expect(missing.map(({ file, line, name }) => `${file}:${line}: ${name}`)).toEqual([]);
});

/**
 * Whether a comment of the file can mean this name: below the project's folder, the file's own, or
 * its top folder.
 */
function isThere(file: string, name: string): boolean {
  if (!name.includes('/')) return NAMES.has(name);
  const [top = ''] = file.split('/');
  return ['.', dirname(file), top].some((folder) => existsSync(join(folder, name)));
}

/** Returns the comments of a script or a style sheet, each with the line on which it begins. */
function commentsOf(file: string) {
  const code = readFileSync(file, 'utf8');
  const comments = file.endsWith('.css')
    ? [...code.matchAll(/\/\*(.*?)\*\//gs)].map(({ index, 1: text = '' }) => ({ text, index }))
    : parseSync(file, code).comments.map(({ value, start }) => ({ text: value, index: start }));
  return comments.map(({ text, index }) => ({
    text,
    line: code.slice(0, index).split('\n').length,
  }));
}

test.each([
  ['README.md', '## Troubleshooting', /^\| ([^|]+) \|/gm],
  ['docs/operations.md', '## What you see', /^### (.+)$/gm],
])('the messages in %s, %s, are messages of the programs', (page, heading, cell) => {
  const [, text = ''] = readFileSync(page, 'utf8').split(`${heading}\n`);
  const [section = ''] = text.split(/^## /m);
  const cells = [...section.matchAll(cell)].map(([, words = '']) => words);
  const messages = cells.flatMap((words) => [...words.matchAll(/`([A-Za-z][^`…]* [^`…]*)`/g)]);
  expect(messages.length).toBeGreaterThan(5);
  const sources = globSync('{server,build}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  // A pattern of ours.
  const ours = messages
    .map(([, words = '']) => words)
    .filter((words) => !/^PostgreSQL \(/.test(words));
  expect(ours.filter((words) => !sources.some((source) => source.includes(words)))).toEqual([]);
});

test('each command of the runbook that is ours exists', async () => {
  const uses = [
    ...readFileSync('docs/operations.md', 'utf8').matchAll(
      /\bserver\/commands\/site\.ts ([^`\n]+)/g,
    ),
  ];
  expect(uses.length).toBeGreaterThan(2);
  for (const [, words = ''] of uses) {
    const { err } = await runSite(words.split(' '), { DATA_DIR: makeDataDir() });
    // Commander's words about a command or an option that does not exist.
    expect([words, err]).toEqual([words, expect.not.stringMatching(/^error:/m)]);
  }
});

test('docs/tracking-plan.md describes every property of all events, and no other', () => {
  const page = readFileSync('docs/tracking-plan.md', 'utf8');
  const names = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(VISIT_PROPERTIES));
});

/** As GitHub makes them from a page's headings. */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').match(/^#+ .+/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
