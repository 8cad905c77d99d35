/** SMTP servers with a login. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, test } from 'vitest';
import { readSettings } from '../../../../server/settings.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { parseLines } from '../../../helpers/server/read-lines.ts';
import { readRegistrations } from '../../../helpers/server/registrations.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

const USER = 'post@drive.example';
/** A password whose characters must all be escaped in a URL. */
const PASSWORD = 'p@ss/wörd:%20?#';

interface Target {
  scheme?: string;
  password?: string;
  port: number;
}

const urlOf = ({ scheme = 'smtp', password = PASSWORD, port }: Target) =>
  `${scheme}://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@localhost:${port}`;

async function start(env: Record<string, string>, dataDir = makeDataDir()) {
  const server = await startServer({ dataDir, env });
  const wholeLines = () => server.said().slice(0, server.said().lastIndexOf('\n') + 1);
  return { ...server, complaints: () => parseLines(wholeLines()).filter(isComplaint) };
}

const isComplaint = ({ level }: Record<string, unknown>) => Number(level) >= 40;

async function register(url: string): Promise<void> {
  const person = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org' };
  const { status } = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, agreedToTerms: true }),
  });
  expect(status).toBe(201);
}

const mailsOf = async (dataDir: string) =>
  (await readRegistrations(readSettings({ DATA_DIR: dataDir }))).map(({ mail }) => mail.state);

test('with a wrong password the mail waits and the log names the remedy; with the right one it is sent', async () => {
  const smtp = await startSmtpServer({ users: { [USER]: PASSWORD } });
  const wrong = await start({ SMTP_URL: urlOf({ password: 'Tr0ub4dor', port: smtp.port }) });
  await register(wrong.url);
  await expect.poll(wrong.complaints).toMatchObject([
    {
      level: 50,
      msg: 'Mails cannot be sent; they wait',
      reason: '535: user or password of SMTP_URL is refused',
    },
  ]);
  expect(await mailsOf(wrong.dataDir)).toEqual(['waiting']);
  await wrong.stop('SIGTERM');
  expect(smtp.received).toEqual([]);

  const right = await start({ SMTP_URL: urlOf(smtp) }, wrong.dataDir);
  await expect.poll(() => mailsOf(right.dataDir)).toEqual(['sent']);
  await right.stop('SIGTERM');
  expect(smtp.received).toMatchObject([{ user: USER, envelope: { to: ['ana@example.org'] } }]);
  expect(right.complaints()).toEqual([]);
  expect(wrong.said() + right.said()).not.toMatch(/Tr0ub4dor|rd:%20|rd%3A%2520/);
});

test('smtps:// sends the password only to a server with a trusted certificate', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const authority = join(makeDataDir(), 'authority.pem');
  writeFileSync(authority, cert);
  const logins: string[] = [];
  const smtp = await startSmtpServer({
    users: { [USER]: PASSWORD },
    tls: { key, cert },
    onLogin: (user) => logins.push(user),
  });
  const env = { SMTP_URL: urlOf({ scheme: 'smtps', port: smtp.port }) };
  const wary = await start(env);
  await register(wary.url);
  await expect.poll(wary.complaints).toMatchObject([{ msg: 'Mails cannot be sent; they wait' }]);
  await wary.stop('SIGTERM');
  expect(logins).toEqual([]);

  const trusting = await start({ ...env, NODE_EXTRA_CA_CERTS: authority }, wary.dataDir);
  await expect.poll(() => mailsOf(trusting.dataDir)).toEqual(['sent']);
  expect(smtp.received).toMatchObject([{ user: USER }]);
});
