/** Runs `site import`. */
import { v7 } from 'uuid';
import { expect } from 'vitest';
import { runSite } from './run-site.ts';
import { makeDataDir, startApp } from './server-app.ts';
import { makeDist } from './server-dist.ts';

type Env = Record<string, string>;

/** A line as the version before wrote it. */
export const formerLine = (parts: object = {}) =>
  JSON.stringify({
    ...{ level: 30, time: 1, pid: 1, hostname: 'old', id: v7(), visit_id: null },
    ...{ event: 'hero_cta_click', referrer: 'clinic-7', ip: '203.0.113.7' },
    ...{
      timestamp: '2026-01-31T09:30:00.000Z',
      page_url: 'https://site.example/',
      user_agent: 'X',
    },
    ...{ is_mobile: true, sent_at: null, remote_ip: '203.0.113.7' },
    ...{ received_at: '2026-01-31T09:30:01.000Z', via: 'fetch', is_bot: false, skew_ms: null },
    ...{ req_id: 'r1', ...parts },
  });

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
