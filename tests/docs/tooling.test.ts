import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');

test('the GitHub workflow runs .ci/run and no other command', () => {
  const commands = [...read('.github/workflows/ci.yml').matchAll(/\brun: (.+)/g)].map(
    ([, it]) => it,
  );
  expect(commands).toEqual(['.ci/run']);
});

test('.nvmrc names the major version of Node that the dependencies bring', () => {
  const major = /\d+/.exec(JSON.parse(read('package.json')).devDependencies.node)?.[0];
  expect(read('.nvmrc').trim()).toBe(major);
});
