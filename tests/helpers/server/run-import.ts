/** Runs `site import`. */
import { expect } from 'vitest';
import { runSite } from './run-site.ts';
import { makeDataDir, startApp } from './server-app.ts';
import { makeDist } from './server-dist.ts';

type Env = Record<string, string>;

export const dist = (settings = {}) => ['--build', makeDist(settings)];
export const runImport = (env: Env, ...args: string[]) =>
  runSite(['import', ...dist(), ...args], env);
export const report = (...n: number[]) =>
  ['lines read', 'clicks stored', 'already there', 'forgotten', 'too old', 'not clicks']
    .map((what, i) => `  ${what}: ${n[i]}\n`)
    .join('');

/** A database that an import makes, and then a server on it. */
export async function afterImport(env: Env, ...args: string[]) {
  const given = { ...env, DATA_DIR: makeDataDir() };
  const { out, err, code } = await runImport(given, ...args);
  const start = () => startApp({ env, dataDir: given.DATA_DIR });
  expect(out).toMatch(/^Into (127\.0\.0\.1:\d+\/test_\w+|\/\S+\/site\.db)\n/);
  return { out: out.replace(/^Into .*\n/, ''), err, code, env: given, start };
}
