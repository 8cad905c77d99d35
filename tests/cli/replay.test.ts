/** `clicks replay` as an operator runs it, against the stand-in for PostHog. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { PosthogCapture } from '../helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { line, makeLedger, TODAY } from '../helpers/server/ledger-lines.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';
import { spawnInTerminal, testInTerminal } from '../helpers/server/terminal.ts';

const idOf = (text: string): string => JSON.parse(text).id;
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => line(n + 1));
const run = (args: string[], env: Record<string, string>) =>
  runCli('clicks.ts', ['replay', '--key', 'phc_x', ...args], env);
const replay = (posthog: PosthogCapture, dataDir: string, ...args: string[]) =>
  run(args, { DATA_DIR: dataDir, POSTHOG_HOST: posthog.url });

/** The figures of a summary, such as `{ sent: '1', ok: '1' }`. */
const figures = (out: string) =>
  Object.fromEntries([...out.matchAll(/^ +([a-z ]+?) +([\d,]+)/gm)].map(([, a, b]) => [a, b]));
/** The UUIDs of each request. */
const batches = ({ requests }: PosthogCapture) =>
  requests.map(({ body }) => JSON.parse(body).batch.map(({ uuid }: { uuid: string }) => uuid));

describe('sends', () => {
  test('people’s clicks with their own id, visitor and time', async () => {
    const posthog = await testCapture();
    const { dataDir } = makeLedger(line(1), line(2, { is_bot: true }), line(3, { event: 'gone' }));
    const { out, code } = await replay(posthog, dataDir);
    expect(code).toBe(0);
    expect(out).toContain(`PostHog at ${posthog.url}:\n  sent `);
    expect(figures(out)).toMatchObject({ sent: '1', ok: '1', unknown: '0', 'left out': '2' });
    expect(posthog.requests.map(({ path }) => path)).toEqual(['/i/v1/analytics/events']);
    const { id, visit_id } = JSON.parse(line(1));
    expect(posthog.events).toMatchObject([
      {
        uuid: id,
        event: 'cta_click',
        distinct_id: visit_id,
        timestamp: TODAY,
        historical: false,
        token: 'phc_x',
        properties: {
          $session_id: visit_id,
          category: 'CTA',
          label: 'hero_button',
          value: 1,
          referrer: 'clinic-7',
          event_id: id,
          $current_url: 'https://site.example/',
          $ip: '192.0.2.0',
          $geoip_disable: true,
        },
      },
    ]);
  });

  test('a click from a real server with its visit and the label of its call to action', async () => {
    const posthog = await testCapture();
    const site = await startApp();
    const { id, visit_id } = JSON.parse(line(1));
    const body = makeBody({ id, visit_id, event: 'lower_cta_click' });
    await postClick(site, body, { 'user-agent': String(body.user_agent) });
    await replay(posthog, site.config.dataDir);
    expect(posthog.events).toMatchObject([
      { uuid: id, distinct_id: visit_id, properties: { label: 'footer_button' } },
    ]);
  });

  test('the clicks of the given time, in batches', async () => {
    const posthog = await testCapture();
    const old = line(900, { timestamp: '2026-01-01T00:00:00.000Z' });
    const late = line(901, { timestamp: '2099-01-01T00:00:00.000Z' });
    const { dataDir } = makeLedger(old, late, ...linesOf(501));
    await replay(posthog, dataDir, '--since', '2026-01-02', '--until', '2098-01-01');
    expect(batches(posthog).map(({ length }) => length)).toEqual([500, 1]);
  });

  test('no more clicks than --limit, and the others with the next run', async () => {
    const posthog = await testCapture();
    const { dataDir } = makeLedger(...linesOf(3));
    const first = await replay(posthog, dataDir, '--limit', '2');
    expect(first.code).toBe(1);
    expect(figures(first.out)).toMatchObject({ sent: '2', ok: '2', 'not sent': '1' });
    expect(first.err).toContain(
      '1 clicks are left to send. Nothing is lost: run the command again',
    );
    const second = await replay(posthog, dataDir, '--limit', '2');
    expect(second.code).toBe(0);
    expect(figures(second.out)).toMatchObject({ sent: '1', 'sent before': '2' });
    expect(posthog.events.map(({ uuid }) => uuid)).toEqual(linesOf(3).map(idOf));
  });

  test('clicks older than 48 hours in batches of their own, as historical', async () => {
    const posthog = await testCapture();
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const { dataDir } = makeLedger(
      line(1, { timestamp: hoursAgo(49) }),
      line(2, { timestamp: hoursAgo(47) }),
      line(3, { timestamp: hoursAgo(900) }),
    );
    await replay(posthog, dataDir);
    const sent = posthog.events.map(({ uuid, historical }) => [uuid, historical]);
    expect(sent).toEqual([
      [idOf(line(1)), true],
      [idOf(line(3)), true],
      [idOf(line(2)), false],
    ]);
    expect(posthog.events[0]?.timestamp).toBe(
      JSON.parse(posthog.requests[0]?.body ?? '').batch[0].timestamp,
    );
  });
});

describe('leaves out', () => {
  test('visitors who asked for privacy, and says how many', async () => {
    const posthog = await testCapture();
    const { dataDir } = makeLedger(
      line(1, { remote_ip: '203.0.113.7' }),
      line(2, { remote_ip: null, private: true }),
      line(3, { remote_ip: null, private: true }),
      line(4, { remote_ip: null }),
    );
    const { out } = await replay(posthog, dataDir);
    expect(out).toContain(
      '3  visitors who ask for privacy 2, older clicks without an address, whose visitors may have asked for privacy 1\n',
    );
    expect(batches(posthog)).toEqual([[idOf(line(1))]]);
    expect(posthog.requests[0]?.body).not.toContain('203.0.113.7');
  });

  test('with LOG_IP=none, clicks by the field "private" alone, not by a missing address', async () => {
    const posthog = await testCapture();
    const { dataDir } = makeLedger(
      line(1, { remote_ip: null }),
      line(2, { remote_ip: null, private: true }),
    );
    const env = { DATA_DIR: dataDir, POSTHOG_HOST: posthog.url, LOG_IP: 'none' };
    const { out } = await run([], env);
    expect(figures(out)).toMatchObject({ sent: '1', 'left out': '1' });
  });

  test('clicks on which PostHog’s verdict is known, except with --all', async () => {
    const posthog = await testCapture();
    const { dataDir } = makeLedger(...linesOf(5));
    posthog.play({
      verdicts: ['ok', 'warning', 'drop:event_too_big', 'drop:rejected', 'unknown_future_result'],
    });
    const first = await replay(posthog, dataDir);
    expect(first.code).toBe(0);
    expect(figures(first.out)).toMatchObject({
      ...{ sent: '5', ok: '1', warning: '1', accepted: '1', refused: '2', unknown: '0' },
    });
    expect(first.out).toContain('2  event_too_big 1, rejected 1\n');
    const again = await replay(posthog, dataDir);
    expect([again.code, figures(again.out)]).toMatchObject([0, { sent: '0', 'sent before': '5' }]);
    expect(posthog.requests).toHaveLength(1);
    await replay(posthog, dataDir, '--all');
    expect(batches(posthog)[1]).toHaveLength(5);
    expect(posthog.merged()).toHaveLength(5);
  });
});

test('after a kill, the next run sends the rest at once, and each click counts once', async () => {
  const posthog = await testCapture();
  const { dataDir } = makeLedger(...linesOf(501));
  // PostHog stores the second batch and never answers.
  posthog.play({}, { ending: 'silent' });
  const child = spawn(process.execPath, ['cli/clicks.ts', 'replay', '--key', 'phc_x'], {
    env: { ...process.env, DATA_DIR: dataDir, POSTHOG_HOST: posthog.url },
    stdio: 'ignore',
  });
  await expect.poll(() => posthog.events.length).toBe(501);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { code, out } = await replay(posthog, dataDir);
  expect([code, figures(out)]).toMatchObject([0, { sent: '1', ok: '1', 'sent before': '500' }]);
  expect([posthog.events.length, posthog.merged().length]).toEqual([502, 501]);
});

testInTerminal('on a terminal a replay shows its progress', async () => {
  const posthog = await testCapture();
  const { dataDir } = makeLedger(...linesOf(501));
  const command = `${process.execPath} cli/clicks.ts replay --key phc_x`;
  const child = spawnInTerminal(command, { DATA_DIR: dataDir, POSTHOG_HOST: posthog.url });
  const shown = (await Array.fromAsync(child.stdout)).join('');
  expect(shown).toMatch(/\r\S*500 clicks sent, up to \d{4}-.*\r\S*501 clicks sent/s);
  expect(figures(shown)).toMatchObject({ ok: '501' });
});
