/** What SECURITY.md says of files that no other test reads, and that each threat has a test. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDataDir } from '../helpers/server/server-app.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const readJson = (file: string) => JSON.parse(read(file));

test('each threat of SECURITY.md names the tests that show what stops it', () => {
  const [, table = ''] = /## Threats\n(.*?)\n## /s.exec(read('SECURITY.md')) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows.slice(1)) {
    const [, actor, , tests] = row.split(/(?<!\\)\|/);
    expect(tests, actor).toMatch(/`tests\/[\w/.-]+`/);
  }
});

test('the secrets that the runbook makes can be read by their owner only', () => {
  const commands = /^install .*\.env\n(?:.*\n)*?END$/m.exec(read('docs/operations.md'))?.[0] ?? '';
  const cwd = makeDataDir();
  execFileSync('sh', ['-ec', `umask 022\n${commands}`], { cwd });
  expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
  expect(read(join(cwd, '.env'))).toMatch(/^POSTGRES_PASSWORD=\w{48}$/m);
});

test('each package has a version and a hash, one may run a script, and new versions wait a week', () => {
  const { packages } = readJson('package-lock.json');
  const { '': _ours, ...others } = packages as Record<string, Record<string, unknown>>;
  for (const [name, { version, integrity, inBundle }] of Object.entries(others)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    // The hash of a package that has others inside is theirs, too.
    if (!inBundle) expect(integrity, name).toMatch(/^sha512-/);
  }
  const withScripts = Object.keys(others).filter((name) => others[name]?.hasInstallScript);
  const { allowScripts } = readJson('package.json');
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed).toEqual(['node']);
  const named = withScripts.map((path) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(named)].sort());
  expect(readJson('renovate.json').minimumReleaseAge).toBe('7 days');
});

test('the image runs as a user who is not root', () => {
  const [, last = ''] = read('deploy/docker/Dockerfile').split(/^FROM .*(?<! AS build)$/m);
  expect(last).toMatch(/^USER (?!root|0)\w+$/m);
});
