import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { startApp } from '../helpers/server/server-app.ts';

const PEOPLE = ['ana@example.org', 'bo@example.org'];
const run = (args: string[], env: Record<string, string>) => runCli('registrations.ts', args, env);

/** A data folder with two registrations, whose mails a server without SMTP_URL has stored as files. */
async function makeFiles() {
  const { app, config, close } = await startApp({ env: { MAIL_FROM: 'team@site.example' } });
  for (const email of PEOPLE)
    await app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true },
    });
  const folder = config.files.mail;
  const files = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
  await expect.poll(() => files().filter((name) => name.endsWith('.eml'))).toHaveLength(2);
  await close();
  return { env: { DATA_DIR: config.dataDir, MAIL_FROM: 'team@site.example' }, folder, files };
}

test('list says which mails are files, and send-files sends each of them once', async () => {
  const { env, folder, files } = await makeFiles();
  writeFileSync(join(folder, '019c1234-5678-7abc-8def-000000000000.eml'), 'another mail');
  const smtp = await startSmtpServer();
  const withSmtp = { ...env, SMTP_URL: smtp.url };
  const before = await run(['list'], env);
  expect(before.out.match(/mail written to a file, not sent/g)).toHaveLength(2);
  expect(before.out).toMatch(
    /2 mails are files and were not sent\. Set SMTP_URL, then run "send-files"\.\n$/,
  );
  expect((await run(['send-files', '--dry-run'], env)).out).toBe('2 mails would be sent.\n');
  expect(await run(['send-files'], env)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Set SMTP_URL'),
  });
  const sent = await run(['send-files'], withSmtp);
  expect(sent).toEqual({ code: 0, out: '2 of 2 mails were sent.\n', err: '' });
  expect(smtp.received.flatMap(({ envelope }) => envelope.to).sort()).toEqual(PEOPLE);
  expect(smtp.received[0]).toMatchObject({
    subject: 'Your registration: next steps',
    from: { address: 'team@site.example' },
  });
  expect(files()).toEqual(['019c1234-5678-7abc-8def-000000000000.eml']);
  expect((await run(['list'], env)).out.match(/mail sent/g)).toHaveLength(2);
  expect((await run(['send-files'], withSmtp)).out).toBe('0 of 0 mails were sent.\n');
});
