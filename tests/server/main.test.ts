/** The process of the server: what its start says, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startLocalServer } from '../helpers/server/local-server.ts';
import { parseLines } from '../helpers/server/read-lines.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** The server ends its start, with this standard error. */
const expectEnd = (options: Parameters<typeof startServer>[0], message: string) =>
  expect(startServer(options)).rejects.toMatchObject({ message, cause: 1 });

test('an invalid environment ends the start with every fault at once, and no secret', async () => {
  const empty = join(makeDataDir(), 'empty');
  writeFileSync(empty, '');
  const wrong = {
    PORT: '99999',
    HOST: 'a b',
    DATABASE_URL: 'postgres://a.example/site,mysql://user:hunter2@db.example/site',
    TRUST_PROXY: 'true',
    ADMIN_PASSWORD: 'hunter2',
    RATE_LIMIT: '1e3',
    SMTP_URL: 'https://user:hunter2@mail.example',
    SMTP_URL_FILE: '/no/such/file',
    MAIL_FROM: 'hello',
    REPORT_MAIL_TO: 'growth@site.example,',
    POSTHOG_PROJECT_ID: '0',
    POSTHOG_PERSONAL_KEY: 'phc_hunter2',
    POSTHOG_PERSONAL_KEY_FILE: empty,
    LOG_LEVEL: 'loud',
    RATE_LIMITS: '8',
  };
  const faults = [
    'SMTP_URL and SMTP_URL_FILE are both set: remove one',
    "SMTP_URL_FILE cannot be read: ENOENT: no such file or directory, open '/no/such/file'",
    'POSTHOG_PERSONAL_KEY and POSTHOG_PERSONAL_KEY_FILE are both set: remove one',
    'POSTHOG_PERSONAL_KEY_FILE names an empty file',
    'PORT must be a whole number from 0 to 65535',
    'HOST must be a host name or an address, like 0.0.0.0',
    'DATABASE_URL must be URLs like postgres://user:password@host/database, separated by commas',
    'TRUST_PROXY must be the number of proxies (1 to 9) or addresses like 10.0.0.1,192.168.0.0/16',
    'ADMIN_PASSWORD must have at least 12 characters: make one with `openssl rand -hex 16`',
    'RATE_LIMIT must be a whole number from 0 to 1000000000',
    'SMTP_URL must be an SMTP URL, like smtps://user:password@mail.example',
    'MAIL_FROM must be an e-mail address',
    'REPORT_MAIL_TO must be e-mail addresses, separated by commas',
    'POSTHOG_PROJECT_ID must be a whole number from 1 to 2147483647',
    'POSTHOG_PERSONAL_KEY must be a personal API key (phx_…), not phc_…',
    'LOG_LEVEL must be debug, info, warn, error or silent',
    'REGISTRATION_KEYS must be set with DATABASE_URL: servers that share registrations share their keys',
    'RATE_LIMITS is not a variable of this project. Is RATE_LIMIT meant?',
  ];
  const title = "The server's environment is not valid (see .env.example):\n";
  const stderr = title + faults.map((fault) => `  ${fault}\n`).join('');
  await expectEnd({ env: wrong }, stderr);
});

test('a missing or incomplete build ends the start with the command to run', async () => {
  const message = 'Run `npm run build` first.\n';
  const missing = `There is no complete build in /nowhere. ${message}`;
  await expectEnd({ dist: '/nowhere' }, missing);
  for (const [file, text] of [
    ['site.json', '{'],
    ['site.json', '{"registerForm":"yes"}'],
    ['client/index.html', null],
    ['client/404.html', null],
  ] as const) {
    const DIST_DIR = makeDist();
    if (text === null) rmSync(join(DIST_DIR, file));
    else writeFileSync(join(DIST_DIR, file), text);
    await expect(startApp({ env: { DIST_DIR } })).rejects.toThrow(message.trim());
  }
});

test('an address that is not ours, or a port in use, ends the start with the remedy', async () => {
  const away =
    'The server cannot listen on port 3000 of 203.0.113.1 (EADDRNOTAVAIL). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).\n';
  await expectEnd({ env: { HOST: '203.0.113.1', PORT: '3000' } }, away);
  const other = await startLocalServer((_, answer) => void answer.socket?.destroy());
  onTestFinished(other.close);
  const taken = `Another program listens on port ${other.port} of 127.0.0.1 (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.\n`;
  await expectEnd({ port: other.port }, taken);
});

test('a start says where the server is, what is on and off, and which variables are nearly a setting', async () => {
  const { url, child, dataDir, said } = await startServer({
    env: { RATE_LIMIT: '7', RATTE_LIMIT: '8', POTR: '8080', POSTHOG_COLOUR: 'blue' },
    site: { exampleKeys: ['productName', 'operator'], exampleNames: ['Larkspur Road Fund'] },
  });
  const messages = () => parseLines(said()).flatMap(({ msg }) => msg ?? []);
  await expect
    .poll(messages)
    .toEqual([
      `Server listening at ${url}, process ${child.pid}`,
      `Data in ${dataDir}, with SQLite. On: PostHog, limits. ` +
        'Off: form, mail, report and metrics, weekly mail and alerts.',
      expect.stringMatching(/^At most [1-9]\d+ connections at the same time/),
      "site.json still has the example's productName, operator. Replace them, and build again.",
      'The pages still have invented names: Larkspur Road Fund. Correct those sentences in words/, and build again.',
      'RATTE_LIMIT is not a variable of this project. Is RATE_LIMIT meant?',
      'POTR is not a variable of this project. Is PORT meant?',
    ]);
});

test('a running server keeps its compiled code on disk, so that it also starts faster after a kill', async () => {
  const cache = makeDataDir();
  await startServer({ env: { NODE_COMPILE_CACHE: cache } });
  // Each file of the server and of its libraries is one file there.
  const kept = () => readdirSync(cache, { recursive: true }).length;
  await expect.poll(kept, { timeout: 10_000 }).toBeGreaterThan(500);
});

/**
 * Starts `npm run serve` with the server of this checkout and a build of its own, in a process
 * group of its own.
 */
async function startByNpm() {
  const { serve } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  const main = join(process.cwd(), 'server/main.js');
  const scripts = { serve: serve.replace('server/main.js', `${main} ${makeDist()}`) };
  const cwd = makeDataDir();
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  const [port, dataDir] = [String(await freePort()), makeDataDir()];
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: port };
  const npm = spawn('npm', ['run', 'serve'], { cwd, env, detached: true });
  onTestFinished(() => void npm.kill('SIGKILL'));
  let said = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  return { npm, port: Number(port), dataDir, isUp, said: () => said };
}

test('npm run serve ends its server when npm gets SIGTERM', async () => {
  const { npm, isUp } = await startByNpm();
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await expect.poll(isUp).toBe(false);
});

test('Ctrl-C ends npm run serve with 0, without an error, and without a lock that is left', async () => {
  const { npm, port, dataDir, said } = await startByNpm();
  // The server waits for a request under way, and gets the signal meanwhile once more.
  const visitor = connect(port, '127.0.0.1');
  onTestFinished(() => void visitor.destroy());
  const head = ['Host: site.example', 'Content-Type: application/json', 'Content-Length: 9'];
  visitor.write(
    `POST /api/log-cta HTTP/1.1\r\n${head.join('\r\n')}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(visitor, 'data');
  visitor.on('error', () => {}).resume();
  // The terminal sends it to the whole group, and npm passes it on to the server.
  process.kill(-Number(npm.pid), 'SIGINT');
  const [code] = await once(npm, 'close');
  expect([code, said().match(/"level":[456]0|error/gi)]).toEqual([0, null]);
  expect(said()).toContain('Stopping (SIGINT)');
  expect(readdirSync(dataDir).filter((file) => file.endsWith('-journal'))).toEqual([]);
});
