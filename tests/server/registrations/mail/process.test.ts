/** Real processes that end while a mail is sent, and their whole output. */
import { expect, test } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { PERSON, readMails, register } from '../../../helpers/server/registrations.ts';
import { startApp } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

/** Makes a data folder with registrations whose mails wait. A process sends them as soon as it starts. */
async function makeWaiting(...emails: string[]) {
  const { app, config, close } = await startApp();
  await register({ app }, ...emails);
  await close();
  return config;
}

test('stopped or killed before the SMTP server’s answer: the mail is sent again, as the same message, and then no more', async () => {
  const config = await makeWaiting('ana@example.org');
  const { dataDir } = config;
  const smtp = await startSmtpServer({ data: (n) => (n < 2 ? 'silent' : 250) });
  for (const [attempt, signal, code] of [
    [1, 'SIGTERM', 0],
    [2, 'SIGKILL', null],
  ] as const) {
    const server = await startServer({ dataDir, env: { SMTP_URL: smtp.url } });
    await expect.poll(() => smtp.received.length).toBe(attempt);
    expect(await server.stop(signal)).toBe(code);
    expect(await readMails(config)).toEqual(['waiting']);
  }
  for (let start = 0; start < 2; start += 1) {
    const server = await startServer({ dataDir, env: { SMTP_URL: smtp.url } });
    await expect.poll(() => readMails(config)).toEqual(['sent']);
    await server.stop('SIGKILL');
  }
  expect(smtp.received).toHaveLength(3);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
});

test('no output of the server contains a visitor’s input, whatever fails', async () => {
  const config = await makeWaiting('canary-1@example.org', 'canary-2@example.org');
  const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 550 : 450) });
  const env = { SMTP_URL: smtp.url, LOG_LEVEL: 'debug', RATE_LIMIT: '90' };
  const server = await startServer({ dataDir: config.dataDir, env });
  const send = async (body: string, type: string) => {
    const headers = { 'content-type': type };
    const options = { method: 'POST', headers, body };
    return (await fetch(`${server.url}/api/register`, options)).status;
  };
  const person = { ...PERSON, firstName: 'Canary', email: 'canary-3@example.org' };
  const json = (parts = {}) => send(JSON.stringify({ ...person, ...parts }), 'application/json');
  expect(await json()).toBe(201);
  expect(await json({ email: 'canary' })).toBe(400);
  expect(await send('email=canary', 'application/x-www-form-urlencoded')).toBe(415);
  expect(await json()).toBe(429);
  await expect.poll(() => server.said()).toMatch(/"reason":"550".*"reason":"450"/s);
  await server.stop('SIGTERM');
  expect(server.said()).toContain('Please check the marked fields.');
  expect(server.said() + server.errors()).not.toMatch(/canary/i);
});
