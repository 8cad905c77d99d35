import { expect, test } from 'vitest';
import { readSettings } from '../../../../server/settings.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { readRegistrations } from '../../../helpers/server/registrations.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

const PERSON = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  email: 'canary@example.org',
  smaType: 'Canarytype',
  agreedToTerms: true,
};

async function register(url: string, parts: Partial<typeof PERSON> = {}): Promise<number> {
  const answer = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...PERSON, ...parts }),
  });
  return answer.status;
}

const mailsOf = async (dataDir: string) =>
  (await readRegistrations(readSettings({ DATA_DIR: dataDir }))).map(({ mail }) => mail.state);

test('killed while the SMTP server is down: the mail is sent once, after the restart', async () => {
  const port = await freePort();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` };
  const first = await startServer({ env });
  expect(await register(first.url)).toBe(201);
  await first.stop('SIGKILL');
  const smtp = await startSmtpServer({ port });
  const again = await startServer({ dataDir: first.dataDir, env });
  await expect.poll(() => smtp.received.length).toBe(1);
  await expect.poll(() => mailsOf(first.dataDir)).toEqual(['sent']);
  await again.stop('SIGKILL');
  await startServer({ dataDir: first.dataDir, env });
  expect(await mailsOf(first.dataDir)).toEqual(['sent']);
  expect(smtp.received).toHaveLength(1);
});

test('killed before the SMTP server’s answer: the mail is sent again at once, with the same Message-ID', async () => {
  const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 'silent' : 250) });
  const env = { SMTP_URL: smtp.url };
  const first = await startServer({ env });
  expect(await register(first.url)).toBe(201);
  await expect.poll(() => smtp.received.length).toBe(1);
  await first.stop('SIGKILL');
  const { dataDir } = first;
  for (let start = 0; start < 2; start += 1) {
    const next = await startServer({ dataDir, env });
    await expect.poll(() => mailsOf(dataDir)).toEqual(['sent']);
    await next.stop('SIGKILL');
  }
  expect(smtp.received).toHaveLength(2);
  expect(smtp.received[1]?.messageId).toBe(smtp.received[0]?.messageId);
});

test('stopped while the SMTP server is silent: the server still ends in time', async () => {
  const smtp = await startSmtpServer({ data: () => 'silent' });
  const server = await startServer({ env: { SMTP_URL: smtp.url } });
  await register(server.url);
  await expect.poll(() => smtp.received.length).toBe(1);
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(await mailsOf(server.dataDir)).toEqual(['waiting']);
});

test('no output of the server contains a visitor’s input, whatever fails', async () => {
  const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 550 : 450) });
  const server = await startServer({
    env: { SMTP_URL: smtp.url, LOG_LEVEL: 'debug', RATE_LIMIT: '120' },
  });
  expect(await register(server.url)).toBe(201);
  expect(await register(server.url, { email: 'canary2@example.org' })).toBe(201);
  expect(await register(server.url, { email: 'canary', agreedToTerms: false })).toBe(400);
  const asForm = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'canary@example.org' }),
  });
  expect(asForm.status).toBe(415);
  expect(await register(server.url)).toBe(429);
  await expect.poll(() => mailsOf(server.dataDir)).toEqual(['refused', 'waiting']);
  await server.stop('SIGTERM');
  expect(server.said()).toContain('A mail was refused');
  expect(server.said()).toContain('Please check the marked fields.');
  expect(server.said() + server.errors()).not.toMatch(/canary/i);
});
