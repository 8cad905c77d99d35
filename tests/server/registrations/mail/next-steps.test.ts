/** The mail after a registration, and the SMTP servers that take it. */

import { expect, test } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { postPerson, readMails, register } from '../../../helpers/server/registrations.ts';
import { startApp } from '../../../helpers/server/server-app.ts';
import { SITE } from '../../../helpers/server/write-dist.ts';

const SIGN_UP = 'https://portal.example/create-account?invitation_code=SMADRIVE';
/** The person who typed the address may be a stranger, so the mail has none of their words. */
const TYPED = { firstName: 'https://evil.example', lastName: 'Buy now', email: 'Ana@example.org' };

/** @returns the mail to a person who registers there */
async function readMail(path: string, productName: string) {
  const smtp = await startSmtpServer();
  const site = await startApp({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'post@drive.example' },
    site: { mail: { ...SITE.mail, productName } },
  });
  expect((await postPerson(site, TYPED, {}, path)).statusCode).toBe(201);
  await expect.poll(() => smtp.received.length).toBe(1);
  const [mail] = smtp.received as [(typeof smtp.received)[0]];
  const headers = mail.headers.map(({ key, value }) => `${key}: ${value}`).join('\n');
  expect(mail.text).not.toMatch(/evil|Buy now|Type 2/);
  return { ...mail, headers };
}

test('the mail has the next steps as plain text, and its headers do not name the illness', async () => {
  const mail = await readMail('/api/register', 'SMA <Drive> & more');
  expect(mail.envelope).toEqual({ from: 'post@drive.example', to: ['Ana@example.org'] });
  expect(mail.from).toEqual({ name: '', address: 'post@drive.example' });
  expect(mail.to).toEqual([{ name: '', address: 'Ana@example.org' }]);
  expect(mail.messageId).toMatch(/^<[0-9a-f]{8}-[0-9a-f-]{27}@drive\.example>$/);
  expect(mail.headers).toContain('auto-submitted: auto-generated');
  expect(mail.headers).toContain('subject: Your registration: next steps');
  expect(mail.headers).not.toMatch(/\bSMA\b|muscular|atrophy/i);
  for (const text of [SIGN_UP, 'hello@portal.example', 'https://portal.example/privacy'])
    expect(mail.text).toContain(text);
  expect(mail.text).toContain('welcome to the SMA <Drive> & more.');
  expect(mail.text).not.toMatch(/https?:\/\/(?!portal\.example)/);
});

test('the mail to an international domain goes to its name in DNS, and the signs before the @ stay', async () => {
  const smtp = await startSmtpServer();
  const site = await startApp({ env: { SMTP_URL: smtp.url } });
  await register(site, 'Ana&B{o}@Bücher.example');
  await expect.poll(() => smtp.received.length).toBe(1);
  const [mail] = smtp.received;
  // The server of the test decodes the name in the envelope.
  expect(mail?.envelope.to).toEqual(['Ana&B{o}@bücher.example']);
  expect(mail?.to).toEqual([{ name: '', address: 'Ana&B{o}@xn--bcher-kva.example' }]);
});

test('the mail after a registration from a Spanish page is in Spanish', async () => {
  const mail = await readMail('/api/register?language=es', 'The Data Drive');
  expect(mail.subject).toBe('Su inscripción: próximos pasos');
  expect(mail.headers).not.toMatch(/\b(AME|SMA)\b|atrofia/i);
  const texts = ['Le damos la bienvenida a The Data Drive', 'Abra su cuenta con Wayfield Health'];
  for (const text of [...texts, SIGN_UP]) expect(mail.text).toContain(text);
  expect(mail.text).not.toMatch(/Welcome|your/);
});

const USER = 'post@drive.example';
/** A password whose characters must all be escaped in a URL. */
const PASSWORD = 'p@ss/wörd:%20?#';

test('with a wrong password the mail waits and the log names the remedy; with the right one it is sent', async () => {
  const smtp = await startSmtpServer({ users: { [USER]: PASSWORD } });
  const urlOf = (password: string) =>
    `smtp://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@localhost:${smtp.port}`;
  const wrong = await startApp({ env: { SMTP_URL: urlOf('Tr0ub4dor') } });
  await register(wrong, 'ana@example.org');
  const reason = '535: user or password of SMTP_URL is refused';
  const msg = 'Mails cannot be sent; they wait';
  await expect.poll(wrong.logged).toMatchObject([{ level: 50, msg, reason }]);
  await wrong.close();

  const { dataDir } = wrong.config;
  const right = await startApp({ env: { SMTP_URL: urlOf(PASSWORD) }, dataDir });
  await expect.poll(() => readMails(right.config)).toEqual(['sent']);
  expect(smtp.received).toMatchObject([{ user: USER, envelope: { to: ['ana@example.org'] } }]);
  expect(JSON.stringify(wrong.logged())).not.toContain('Tr0ub4dor');
});
