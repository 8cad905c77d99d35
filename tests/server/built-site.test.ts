import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBuiltSite } from '../../server/built-site.ts';
import { makeDist, SITE } from '../helpers/server/server-dist.ts';

test('reads the build’s facts', () => {
  expect(readBuiltSite(makeDist())).toEqual(SITE);
});

test.each([
  ['site.json', null],
  ['site.json', '{'],
  ['site.json', '{"registerForm":"yes"}'],
  ['client/index.html', null],
  ['client/404.html', null],
])('with a wrong %s (%j) the message says what to run', (name, text) => {
  const dist = makeDist();
  if (text === null) rmSync(join(dist, name));
  else writeFileSync(join(dist, name), text);
  expect(() => readBuiltSite(dist)).toThrow(/Run `npm run build` first/);
});
