/** The process of the server: what its start says, and how it ends. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/server/local-server.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** Runs the real process until it ends by itself. */
function start(env: Record<string, string>, dist = makeDist()) {
  const { status, stderr } = spawnSync(process.execPath, ['server/main.js', dist], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: makeDataDir(), ...env },
  });
  return { status, stderr };
}

test('an invalid environment ends the start with every fault at once, and no secret', () => {
  const empty = join(makeDataDir(), 'empty');
  writeFileSync(empty, '');
  const wrong = {
    PORT: '99999',
    HOST: 'a b',
    DATABASE_URL: 'postgres://a.example/site,mysql://user:hunter2@db.example/site',
    TRUST_PROXY: 'true',
    ADMIN_PASSWORD: 'hunter2',
    ADMIN_PASSWORD_FILE: empty,
    RATE_LIMIT: '1e3',
    SMTP_URL: 'https://user:hunter2@mail.example',
    SMTP_URL_FILE: '/no/such/file',
    MAIL_FROM: 'hello',
    REPORT_MAIL_TO: 'growth@site.example,',
    POSTHOG_PROJECT_ID: '0',
    POSTHOG_PERSONAL_KEY: 'phc_hunter2',
    LOG_LEVEL: 'loud',
  };
  const faults = [
    'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: remove one',
    'ADMIN_PASSWORD_FILE names an empty file',
    'SMTP_URL and SMTP_URL_FILE are both set: remove one',
    "SMTP_URL_FILE cannot be read: ENOENT: no such file or directory, open '/no/such/file'",
    'PORT must be a whole number from 0 to 65535',
    'HOST must be a host name or an address, like 0.0.0.0',
    'DATABASE_URL must be URLs like postgres://user:password@host/database, separated by commas',
    'TRUST_PROXY must be the number of proxies (1 to 9) or addresses like 10.0.0.1,192.168.0.0/16',
    'RATE_LIMIT must be a whole number from 0 to 1000000000',
    'SMTP_URL must be an SMTP URL, like smtps://user:password@mail.example',
    'MAIL_FROM must be an e-mail address',
    'REPORT_MAIL_TO must be e-mail addresses, separated by commas',
    'POSTHOG_PROJECT_ID must be a whole number from 1 to 2147483647',
    'POSTHOG_PERSONAL_KEY must be a personal API key (phx_…), not phc_…',
    'LOG_LEVEL must be debug, info, warn, error or silent',
    'REGISTRATION_KEYS must be set with DATABASE_URL: servers that share registrations share their keys',
  ];
  const title = "The server's environment is not valid (see .env.example):\n";
  const stderr = title + faults.map((fault) => `  ${fault}\n`).join('');
  expect(start(wrong)).toEqual({ status: 1, stderr });
});

test('a missing or incomplete build ends the start with the command to run', async () => {
  const message = 'Run `npm run build` first.\n';
  const missing = `There is no complete build in /nowhere. ${message}`;
  expect(start({}, '/nowhere')).toEqual({ status: 1, stderr: missing });
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
  const away = start({ HOST: '203.0.113.1' });
  expect(away).toEqual({
    status: 1,
    stderr:
      'The server cannot listen on port 3000 of 203.0.113.1 (EADDRNOTAVAIL). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).\n',
  });
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(start({ HOST: '127.0.0.1', PORT: String(port) })).toEqual({
    status: 1,
    stderr: `Another program listens on port ${port} of 127.0.0.1 (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.\n`,
  });
});

test('a start says where the server is, what is on and off, and which variables nothing reads', async () => {
  const port = await freePort();
  const env = {
    ...{ DATA_DIR: makeDataDir(), HOST: '127.0.0.1', PORT: String(port) },
    ...{ RATE_LIMIT: '7', RATE_LIMITS: '8', LOG_IP: 'none', POSTHOG_COLOUR: 'blue' },
  };
  const dist = makeDist({
    exampleKeys: ['productName', 'operator'],
    exampleNames: ['Larkspur Road Fund'],
  });
  const child = spawn(process.execPath, ['server/main.js', dist], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const { msg } = JSON.parse(text);
    if (msg !== undefined) said.push(msg);
    if (/POSTHOG_COLOUR/.test(msg)) break;
  }
  expect(said).toEqual([
    `Server listening at http://127.0.0.1:${port}, process ${child.pid}`,
    `Data in ${env.DATA_DIR}, with SQLite. On: PostHog (https://us.i.posthog.com); ` +
      'limits (7 clicks, 1 register, 14 events, 35 other per minute and address). ' +
      'Off: form; mail; report and metrics; weekly mail and alerts.',
    "site.json still has the example's productName, operator. Replace them, and build again.",
    'The pages still have invented names: Larkspur Road Fund. Correct those sentences in words/, and build again.',
    'RATE_LIMITS is not a variable of this project. Is RATE_LIMIT meant?',
    'LOG_IP is now logIp in site.json.',
    'POSTHOG_COLOUR is not a variable of this project. .env.example lists them all.',
  ]);
});

test('npm run serve ends its server when npm gets SIGTERM', async () => {
  const { serve } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  // The server of this checkout, with a build of its own.
  const main = join(process.cwd(), 'server/main.js');
  const scripts = { serve: serve.replace('server/main.js', `${main} ${makeDist()}`) };
  const cwd = makeDataDir();
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  const port = String(await freePort());
  const env = { ...process.env, DATA_DIR: makeDataDir(), HOST: '127.0.0.1', PORT: port };
  const npm = spawn('npm', ['run', 'serve'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void npm.kill('SIGKILL'));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  npm.stdout.resume();
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await expect.poll(isUp).toBe(false);
});
