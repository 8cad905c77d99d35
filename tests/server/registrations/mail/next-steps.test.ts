import { expect, test } from 'vitest';
import { nextSteps } from '../../../../server/registrations/mail/next-steps.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { postPerson } from '../../../helpers/server/registrations.ts';
import { startApp } from '../../../helpers/server/server-app.ts';
import { SITE } from '../../../helpers/server/server-dist.ts';

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
  const [mail] = smtp.received;
  if (!mail) throw new Error('no mail');
  const headers = mail.headers.map(({ key, value }) => `${key}: ${value}`).join('\n');
  const parts = [mail.text, mail.html?.replaceAll('&#38;', '&')];
  for (const part of parts) expect(part).not.toMatch(/evil|Buy now|Type 2/);
  return { ...mail, headers, parts };
}

test('the mail has the next steps in text and in HTML, and its headers do not name the illness', async () => {
  const mail = await readMail('/api/register', 'SMA <Drive> & more');
  expect(mail.envelope).toEqual({ from: 'post@drive.example', to: ['Ana@example.org'] });
  expect(mail.from).toEqual({ name: '', address: 'post@drive.example' });
  expect(mail.to).toEqual([{ name: '', address: 'Ana@example.org' }]);
  expect(mail.messageId).toMatch(/^<[0-9a-f]{8}-[0-9a-f-]{27}@drive\.example>$/);
  expect(mail.headers).toContain('auto-submitted: auto-generated');
  expect(mail.headers).toContain('subject: Your registration: next steps');
  expect(mail.headers).not.toMatch(/\bSMA\b|muscular|atrophy/i);
  for (const part of mail.parts) {
    expect(part).toContain(SIGN_UP);
    expect(part).toContain('hello@portal.example');
    expect(part).toContain('https://portal.example/privacy');
  }
  expect(mail.html).toMatch(/^<!doctype html>\s*<html lang="en">/);
  expect(mail.html).toContain('>Welcome to the SMA &#60;Drive&#62; &#38; more</h1>');
  expect(mail.html).not.toMatch(/<img|<table|https?:\/\/(?!portal\.example)/);
});

test('the mail after a registration from a Spanish page is in Spanish', async () => {
  const mail = await readMail('/api/register?language=es', 'SMA Data Drive');
  expect(mail.subject).toBe('Su inscripción: próximos pasos');
  expect(mail.headers).not.toMatch(/\b(AME|SMA)\b|atrofia/i);
  expect(mail.html).toMatch(/^<!doctype html>\s*<html lang="es">/);
  for (const part of mail.parts) {
    expect(part).toContain('Le damos la bienvenida a SMA Data Drive');
    expect(part).toContain('Abra su cuenta con Wayfield Health');
    expect(part).toContain(SIGN_UP);
    expect(part).not.toMatch(/Welcome|your/);
  }
});

test.each(['The Long Road', 'the long road'])('the product “%s” keeps its article', (name) => {
  const { text, html } = nextSteps({ ...SITE.mail, productName: name }, 'en');
  expect(text).toContain(`welcome to ${name}.`);
  expect(html).toContain(`Welcome to ${name}<`);
});
