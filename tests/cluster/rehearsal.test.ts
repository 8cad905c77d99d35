/** A short night of disasters: `npm run rehearse -- --short` as an operator starts it, and its picture. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function runShort() {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [picture, results] = [join(folder, 'night.svg'), join(folder, 'night.md')];
  const child = spawn(process.execPath, [
    ...['rehearse/rehearse.ts', '--short', '--picture', picture, '--results', results],
  ]);
  onTestFinished(() => void child.kill());
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => said.push(String(text)));
  return new Promise<{ code: number | null; said: string; picture: string; results: string }>(
    (resolve) => {
      child.on('close', (code) => {
        const [svg, page] = [picture, results].map((file) => readFileSync(file, 'utf8'));
        resolve({ code, said: said.join(''), picture: svg ?? '', results: page ?? '' });
      });
    },
  );
}

test('a server, PostgreSQL and PostHog fail under load: no click is lost or twice, and the picture shows each', async () => {
  const { code, said, picture, results } = await runShort();
  const clicks = Number(/([\d,]+) clicks during 3 disasters: lost 0, twice 0/.exec(said)?.[1]);
  expect(clicks, said).toBeGreaterThan(400);
  expect(said).toMatch(/mails: lost 0, twice 0/);
  expect(code).toBe(0);
  // A dot for the disk, one for the index and one for PostHog.
  const dots = picture.match(/M[\d.]+,[\d.]+h0/g)?.length ?? 0;
  expect(dots).toBeGreaterThanOrEqual(3 * clicks);
  expect(picture).toContain('lost 0, twice 0');
  for (const label of ['a server', 'PostgreSQL', 'PostHog']) expect(picture).toContain(label);
  // While PostgreSQL was away, clicks waited in the browser.
  expect(results).toMatch(/\d+ × 503/);
});

test('--hold keeps the layout, begins and ends a disaster on request, and leaves nothing behind', async () => {
  const child = spawn(process.execPath, ['rehearse/rehearse.ts', '--hold']);
  onTestFinished(() => void child.kill());
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  await expect.poll(() => said).toContain('server 3: ');
  const health = async () => {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    return (await fetch(`${url}/healthz`)).json();
  };
  await expect.poll(health).toEqual({ status: 'ready' });
  child.stdin.write('redis\n');
  await expect.poll(health).toMatchObject({ reasons: [expect.stringContaining('Redis')] });
  child.stdin.write('redis\nno such thing\n');
  await expect.poll(() => said).toContain('redis: over\nThere is no disaster "no such thing"');
  await expect.poll(health).toEqual({ status: 'ready' });
  const folder = /SITE_ENV_FILE=(.+)\/site\.env/.exec(said)?.[1] ?? '';
  expect(existsSync(folder)).toBe(true);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(existsSync(folder)).toBe(false);
});
