/** --check-config tries each service that the settings name, with real sockets. tests/cluster/check-config.test.ts has the databases. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSmtpServer } from '../helpers/fakes/open-smtp-server.ts';
import { checkConfig } from '../helpers/server/check-config.ts';
import { freePort, startLocalServer } from '../helpers/server/local-server.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const settings = (site = {}) => ({ DATA_DIR: makeDataDir(), DIST_DIR: makeDist(site) });
const nowhere = async () => `127.0.0.1:${await freePort()}`;
const VALID = /\nThe settings are valid\.\n$/;

/** Accepts connections and never answers. */
async function startSilent(): Promise<string> {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('services without which clicks are kept are named with their effect, and the settings are valid', async () => {
  const [smtp, posthog] = await Promise.all([1, 2].map(nowhere));
  const { status, stdout, stderr } = await checkConfig({
    ...settings({ posthogHost: `http://${posthog}` }),
    SMTP_URL: `smtp://user:hunter2@${smtp}`,
    MAIL_FROM: 'hello@site.example',
  });
  expect([status, stderr]).toEqual([0, '']);
  for (const text of [
    `The SMTP server (${smtp}): it refuses connections. Start it, or correct SMTP_URL. Until then mails wait.`,
    `PostHog (http://${posthog}): it refuses connections. Check the network, or correct posthogHost in site.json. Until then events wait.`,
  ])
    expect(stdout.split('\n')).toContain(text);
  expect(stdout).toMatch(VALID);
  expect(stdout).not.toContain('hunter2');
}, 60_000);

test('PostgreSQL, without which no click can be kept, is a fault', async () => {
  const database = await nowhere();
  const { status, stdout, stderr } = await checkConfig({
    ...settings({ posthogKey: null }),
    DATABASE_URL: `postgres://user:hunter2@${database}/site`,
    REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `PostgreSQL (${database}/site): it refuses connections. Start it, or correct DATABASE_URL.\n`,
  );
  expect(stdout).not.toContain('valid');
}, 60_000);

test('a service that accepts connections and never answers, and a host that does not exist', async () => {
  const silent = await startSilent();
  const { status, stdout } = await checkConfig({
    ...settings({ posthogHost: `http://${silent}` }),
    SMTP_URL: `smtp://${silent}`,
    MAIL_FROM: 'hello@site.example',
  });
  expect(status).toBe(0);
  expect(stdout.match(/: it does not answer\. /g)).toHaveLength(2);
  const missing = await checkConfig({
    ...settings({ posthogKey: null }),
    SMTP_URL: 'smtp://mail.invalid',
    MAIL_FROM: 'hello@site.example',
  });
  expect(missing.stdout).toContain('The SMTP server (mail.invalid): there is no such host.');
}, 60_000);

test('services that answer are not mentioned; a refused password is', async () => {
  const smtp = await openSmtpServer({ users: { site: 'right' } });
  onTestFinished(smtp.close);
  const posthog = await startLocalServer((_request, answer) => void answer.writeHead(404).end());
  onTestFinished(posthog.close);
  const env = {
    ...settings({ posthogHost: `http://127.0.0.1:${posthog.port}` }),
    MAIL_FROM: 'hello@site.example',
  };
  const address = `127.0.0.1:${smtp.port}`;
  const right = await checkConfig({ ...env, SMTP_URL: `smtp://site:right@${address}` });
  expect([right.status, right.stderr]).toEqual([0, '']);
  expect(right.stdout).toMatch(/^Data in .*\nThe settings are valid\.\n$/);
  const wrong = await checkConfig({ ...env, SMTP_URL: `smtp://site:hunter2@${address}` });
  expect(wrong.status).toBe(0);
  expect(wrong.stdout).toContain(
    `The SMTP server (${address}): it refuses the user or the password. Correct SMTP_URL. Until then mails wait.\n`,
  );
  expect(wrong.stdout).not.toContain('hunter2');
  expect(smtp.received).toEqual([]);
}, 60_000);
