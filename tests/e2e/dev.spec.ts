/** `npm run dev` as a developer uses it, with a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { findHeadlessChromium } from '../helpers/browser/chromium.ts';
import { distOf } from '../helpers/run/build-sites.ts';
import { copyTree } from '../helpers/run/copy-tree.ts';
import { freePort } from '../helpers/server/local-server.ts';

const executablePath = findHeadlessChromium();
test.use({ launchOptions: { args: ['--no-sandbox'], ...(executablePath && { executablePath }) } });
test.setTimeout(180_000);
const SEEN = { timeout: 60_000 };

/** Starts the command in a copy of the tree, whose files the test edits, with PORT in .env. */
async function startDev() {
  const tree = copyTree();
  const port = await freePort();
  writeFileSync(join(tree.path, '.env'), `PORT=${port}\n`);
  const { PORT: _, DATA_DIR: __, ...env } = process.env;
  const npm = spawn('npm', ['run', 'dev', '--', resolve(distOf('tracked'))], {
    cwd: tree.path,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  // The pipes close when the last process of them has ended.
  const ended = once(npm, 'close');
  return {
    url: `http://localhost:${port}`,
    /** All that the terminal shows. */
    said: () => text,
    /** Changes a file as most editors write: a new file takes the place of the old one. */
    edit(file: string, change: (text: string) => string) {
      const path = join(tree.path, file);
      writeFileSync(`${path}.tmp`, change(readFileSync(path, 'utf8')));
      renameSync(`${path}.tmp`, path);
    },
    /** Resolves when everything has ended. */
    async [Symbol.asyncDispose]() {
      // As Ctrl-C in a terminal does.
      process.kill(-Number(npm.pid), 'SIGINT');
      await ended;
      tree.remove();
    },
  };
}

test('a change is in the tab, a fault names its file, the server starts again, and Ctrl-C ends all', async ({
  page,
}) => {
  await using dev = await startDev();
  const status = async (path: string) =>
    fetch(dev.url + path).then(
      (answer) => answer.status,
      () => null,
    );
  await expect.poll(() => status('/healthz'), SEEN).toBe(200);
  await page.goto(dev.url);
  const heading = page.getByRole('heading', { level: 1 });
  // Edits again, because a watcher can miss one of two changes within milliseconds, which no editor
  // makes.
  await expect(async () => {
    dev.edit('words/en/landing.ts', (text) =>
      text.replace("headline: ['", "headline: ['Changed: "),
    );
    await expect(heading).toContainText('Changed: ', { timeout: 5000 });
  }).toPass(SEEN);

  dev.edit('pages/index/hero.tsx', (text) => text.replace('</section>', '</sectio>'));
  await expect.poll(() => status('/'), SEEN).toBe(500);
  // The terminal's text comes by a pipe, so that it may arrive after the answer.
  await expect.poll(dev.said, SEEN).toContain('pages/index/hero.tsx');
  dev.edit('pages/index/hero.tsx', (text) => text.replace('</sectio>', '</section>'));
  await expect.poll(() => status('/'), SEEN).toBe(200);

  dev.edit('site.json', (text) => text.replace('"logIp"', '"logIP"'));
  const fault = 'logIP is not a key. Is logIp meant?';
  // Vite reloads the tab by itself, too, and a visit that begins at the same time may never end.
  await expect(async () => {
    await page.goto(dev.url, { timeout: 5000 });
    await expect(page.locator('body')).toContainText(fault, { timeout: 5000 });
  }).toPass(SEEN);
  await expect.poll(dev.said, SEEN).toContain(fault);
  dev.edit('site.json', (text) => text.replace('"logIP"', '"logIp"'));
  await expect(heading).toContainText('Changed: ', SEEN);

  const starts = () => dev.said().split('Server listening at').length;
  const before = starts();
  dev.edit('server/watch/watch.ts', (text) => `${text}\n`);
  await expect.poll(starts, SEEN).toBeGreaterThan(before);
  await expect.poll(() => status('/healthz'), SEEN).toBe(200);
});
