/** Attacks on the PostHog proxy. Meanwhile the site answers, and memory stays bounded. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startListener } from '../helpers/fakes/server-listener.ts';
import { SITE } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

const KEY = SITE.posthogKey ?? '';
const MILLIONS = 2_500_000;
const ATTACKERS = 40;

const gzipOf = (head: string, unit: string, tail: string) =>
  gzipSync(head + unit.repeat(MILLIONS) + tail);
const batchHead = `{"api_key":"${KEY}","batch":[`;
/** About 8 KB each, at most 8 MB when unpacked. */
const ATTACKS: [name: string, body: () => Buffer<ArrayBuffer>][] = [
  ['millions of objects', () => gzipOf(batchHead, '{},', '{}]}')],
  ['nested arrays', () => gzipOf('', '[', '')],
  ['nested objects', () => gzipOf(batchHead, '{"":', '')],
  [
    'nested arrays in an event',
    () => gzipOf(`${batchHead}{"event":"e","properties":{"a":`, '[', ''),
  ],
];

/** Peak memory of a process, in megabytes. */
function peakMemory(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function send(url: string, body: Buffer<ArrayBuffer>): Promise<[number, unknown]> {
  const answer = await fetch(`${url}/k/e/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain' },
  });
  return [answer.status, await answer.json()];
}

/** Calls /healthz without a pause. @returns a function that stops, and returns the longest wait in milliseconds */
function watchHealth(url: string): () => Promise<number> {
  let running = true;
  let longest = 0;
  const watch = (async () => {
    while (running) {
      const askedAt = performance.now();
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      longest = Math.max(longest, performance.now() - askedAt);
    }
  })();
  return async () => {
    running = false;
    await watch;
    return longest;
  };
}

test.each(ATTACKS)('%s, unpacked from 8 KB, delay no other request', async (_name, makeBody) => {
  const posthog = await startListener();
  const server = await startServer({ site: { posthogHost: posthog.url } });
  const body = makeBody();
  expect(body.length).toBeLessThan(16 * 1024);
  const stopWatching = watchHealth(server.url);
  const answers = await Promise.all(
    Array.from({ length: ATTACKERS }, () => send(server.url, body)),
  );
  const longestWait = await stopWatching();
  for (const [status, answer] of answers) {
    expect([413, 503]).toContain(status);
    expect(answer).toHaveProperty('error.code');
  }
  expect(posthog.received).toEqual([]);
  expect(longestWait).toBeLessThan(10_000);
  expect(peakMemory(server.child.pid)).toBeLessThan(300);
});
