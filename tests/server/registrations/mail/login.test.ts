/** SMTP servers with a login. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, test } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { readMails, register } from '../../../helpers/server/registrations.ts';
import { makeDataDir, startApp } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

const USER = 'post@drive.example';
/** A password whose characters must all be escaped in a URL. */
const PASSWORD = 'p@ss/wörd:%20?#';
const AWAY = { level: 50, msg: 'Mails cannot be sent; they wait' };

const urlOf = ({ port }: { port: number }, scheme: string, password = PASSWORD) =>
  `${scheme}://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@localhost:${port}`;

test('with a wrong password the mail waits and the log names the remedy; with the right one it is sent', async () => {
  const smtp = await startSmtpServer({ users: { [USER]: PASSWORD } });
  const wrong = await startApp({ env: { SMTP_URL: urlOf(smtp, 'smtp', 'Tr0ub4dor') } });
  await register(wrong, 'ana@example.org');
  const reason = '535: user or password of SMTP_URL is refused';
  await expect.poll(wrong.logged).toMatchObject([{ ...AWAY, reason }]);
  await wrong.close();
  expect(smtp.received).toEqual([]);

  const { dataDir } = wrong.config;
  const right = await startApp({ env: { SMTP_URL: urlOf(smtp, 'smtp') }, dataDir });
  await expect.poll(() => readMails(right.config)).toEqual(['sent']);
  expect(smtp.received).toMatchObject([{ user: USER, envelope: { to: ['ana@example.org'] } }]);
  expect(right.logged()).toEqual([]);
  expect(JSON.stringify(wrong.logged())).not.toContain('Tr0ub4dor');
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
  const env = { SMTP_URL: urlOf(smtp, 'smtps') };
  const wary = await startApp({ env });
  await register(wary, 'ana@example.org');
  await expect.poll(wary.logged).toMatchObject([AWAY]);
  await wary.close();
  expect(logins).toEqual([]);

  // Node reads its authorities once.
  const { dataDir } = wary.config;
  await startServer({ dataDir, env: { ...env, NODE_EXTRA_CA_CERTS: authority } });
  await expect.poll(() => readMails(wary.config)).toEqual(['sent']);
  expect(smtp.received).toMatchObject([{ user: USER }]);
});
