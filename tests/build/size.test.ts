/**
 * What `npm run build` wrote to dist against the budgets of bytes (docs/results/page.md), as a browser that knows
 * brotli gets it, headers aside.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const KIB = 1024;
const html = readFileSync(join(CLIENT, 'index.html'), 'utf8');

/** Bytes over the wire. */
function sizeOf(path: string): number {
  const file = join(CLIENT, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

const sumOf = (paths: Iterable<string>): number =>
  [...new Set(paths)].reduce((sum, path) => sum + sizeOf(path), 0);

/** Paths of this site that stand in the page in such an attribute of such a tag. */
const linked = (tag: RegExp): string[] => [...html.matchAll(tag)].map(([, path = '']) => path);

/** Names of imported scripts, relative to the importing one. */
const STATIC_IMPORT = /(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g;
const ANY_IMPORT = /["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;
/** An island and its chunk, in the list of islands/hydrate-islands.tsx. */
const ISLAND_IMPORT = /["']?([\w-]+)["']?:\(\)=>\w+\(\(\)=>import\(["'`]([^"'`]+)["'`]\)/g;

/** The scripts with all that they import, in the end. What stands for an island that the page has not is left out. */
function withImports(scripts: string[], pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const queue = [...scripts]; queue.length > 0; ) {
    const script = queue.pop() as string;
    if (found.has(script)) continue;
    found.add(script);
    const code = readFileSync(join(CLIENT, script), 'utf8');
    const absent = [...code.matchAll(ISLAND_IMPORT)]
      .filter(([, island]) => !html.includes(`data-island="${island}"`))
      .map(([, , path]) => path);
    for (const [, path = ''] of code.matchAll(pattern)) {
      if (!absent.includes(path)) queue.push(join(dirname(script), path));
    }
  }
  return [...found];
}

const scripts = linked(/<(?:script[^>]* src|template data-module)="([^"]+)"/g);
const icons = linked(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g);
const fonts = globSync('assets/**/*.woff2', { cwd: CLIENT });

describe('what everybody gets', () => {
  test('the page, with its style and its drawings, fits into one initial congestion window', () => {
    expect(sizeOf('index.html')).toBeLessThanOrEqual(14_000);
  });

  test('the script that counts clicks is inline and below 1 KB', () => {
    const stubs = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code);
    const stub = stubs.find((code) => code.includes('data-cta')) ?? '';
    expect(stub).not.toBe('');
    expect(gzipSync(stub, { level: 9 }).length).toBeLessThanOrEqual(KIB);
  });

  test('the typefaces', () => {
    expect(fonts).toHaveLength(2);
    expect(sumOf(fonts)).toBeLessThanOrEqual(30 * KIB);
  });

  test('all that an untouched page loads', () => {
    expect(scripts).toHaveLength(1);
    const first = [...withImports(scripts, STATIC_IMPORT), ...fonts, ...icons, 'index.html'];
    expect(sumOf(first)).toBeLessThanOrEqual(60 * KIB);
  });
});

test('all that the most curious visitor loads, the film aside', () => {
  const all = withImports(scripts, ANY_IMPORT);
  expect(all.length).toBeGreaterThan(5);
  const late = globSync('{assets/**/*.css,video/*.{svg,vtt}}', { cwd: CLIENT });
  // Each drawing comes once, in the reader's own scheme.
  const drawings = globSync('assets/**/*-{light,dark}.*.svg', { cwd: CLIENT });
  const images = Math.max(
    ...['-light', '-dark'].map((scheme) => sumOf(drawings.filter((path) => path.includes(scheme)))),
  );
  const total = sumOf([...all, ...late, ...fonts, ...icons, 'index.html']) + images;
  expect(total).toBeLessThanOrEqual(220 * KIB);
});
