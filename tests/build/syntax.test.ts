/** The oldest browsers of docs/architecture.md can parse the built scripts. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import { expect, test } from 'vitest';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const read = (name: string) => readFileSync(join(CLIENT, name), 'utf8');
const modules = globSync('assets/**/*.js', { cwd: CLIENT }).map((name) => [name, read(name)]);
const inline = globSync('*.html', { cwd: CLIENT }).flatMap((name) =>
  [...read(name).matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => [name, code]),
);

/**
 * Safari 15.4, Chrome 100 and Firefox 100 parse ES2022, except for what Safari has since 16.4:
 * static blocks and look-behinds.
 */
const TOO_NEW = /\bstatic\s*\{|\(\?<[=!]/;

test('there are scripts to parse, inline ones included', () => {
  expect(modules.length).toBeGreaterThan(10);
  expect(inline.length).toBeGreaterThanOrEqual(3);
});

test.each([...modules, ...inline])('%s has no newer syntax', (name = '', code = '') => {
  const sourceType = name.endsWith('.js') ? 'module' : 'script';
  expect(() => parse(code, { ecmaVersion: 2022, sourceType })).not.toThrow();
  expect(TOO_NEW.exec(code)).toBeNull();
});
