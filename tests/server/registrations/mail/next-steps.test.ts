import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { nextSteps } from '../../../../server/registrations/mail/next-steps.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { startApp } from '../../../helpers/server/server-app.ts';
import { makeFormDist, SITE } from '../../../helpers/server/server-dist.ts';

const PERSON = {
  firstName: 'https://evil.example',
  lastName: 'Buy now',
  email: 'Ana@example.org',
  smaType: 'Type 2',
  agreedToTerms: true,
};

type Site = Awaited<ReturnType<typeof startApp>>;
const register = async (site: Site) => {
  const answer = await site.app.inject({ method: 'POST', url: '/api/register', payload: PERSON });
  expect(answer.statusCode).toBe(201);
};

test('the mail has the next steps in text and in HTML, and its headers do not name the illness', async () => {
  const smtp = await startSmtpServer();
  const mail = { productName: 'SMA <Drive> & more' };
  const site = await startApp({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'post@drive.example' },
    site: { mail: { ...SITE.mail, ...mail } },
  });
  await register(site);
  await register(site);
  await expect.poll(() => smtp.received.length).toBe(1);
  const [sent] = smtp.received;

  expect(sent?.envelope).toEqual({ from: 'post@drive.example', to: ['Ana@example.org'] });
  expect(sent?.from).toEqual({ name: '', address: 'post@drive.example' });
  expect(sent?.to).toEqual([{ name: '', address: 'Ana@example.org' }]);
  expect(sent?.messageId).toMatch(/^<[0-9a-f]{8}-[0-9a-f-]{27}@drive\.example>$/);
  const header = (key: string) => sent?.headers.find((one) => one.key === key)?.value;
  expect(header('auto-submitted')).toBe('auto-generated');
  const outside = sent?.headers.map(({ key, value }) => `${key}: ${value}`).join('\n');
  expect(outside).toContain('subject: Your registration: next steps');
  expect(outside).not.toMatch(/\bSMA\b|muscular|atrophy/i);

  for (const part of [sent?.text, sent?.html?.replaceAll('&#38;', '&')]) {
    expect(part).toContain('https://portal.example/create-account?invitation_code=SMADRIVE');
    expect(part).toContain('hello@portal.example');
    expect(part).toContain('https://portal.example/privacy');
    // The person who typed the address may be a stranger, so the mail has none of their words.
    expect(part).not.toMatch(/evil|Buy now|Type 2/);
  }
  expect(sent?.html).toMatch(/^<!doctype html>\s*<html lang="en">/);
  expect(sent?.html).toContain(
    '<h1 style="font-size:26px;line-height:1.3">Welcome to the SMA &#60;Drive&#62; &#38; more</h1>',
  );
  expect(sent?.html).not.toMatch(/<img|<table|https?:\/\/(?!portal\.example)/);
});

test('the mail after a registration from a Spanish page is in Spanish', async () => {
  const smtp = await startSmtpServer();
  const site = await startApp({ env: { SMTP_URL: smtp.url } });
  const url = '/api/register?language=es';
  await site.app.inject({ method: 'POST', url, payload: PERSON });
  await expect.poll(() => smtp.received.length).toBe(1);
  const [sent] = smtp.received;
  expect(sent?.subject).toBe('Su inscripción: próximos pasos');
  expect(sent?.subject).not.toMatch(/AME|SMA|atrofia/i);
  expect(sent?.html).toMatch(/^<!doctype html>\s*<html lang="es">/);
  for (const part of [sent?.text, sent?.html]) {
    expect(part).toContain('Le damos la bienvenida a SMA Data Drive');
    expect(part).toContain('Abra su cuenta con Wayfield Health');
    expect(part).toContain('https://portal.example/create-account?invitation_code=SMADRIVE');
    expect(part).not.toMatch(/Welcome|your|evil|Buy now/);
  }
});

test.each(['The Long Road', 'the long road'])(
  'the product “%s” keeps its own article',
  (productName) => {
    const { text, html } = nextSteps({ ...SITE.mail, productName }, 'en');
    expect(text).toContain(`welcome to ${productName}.`);
    expect(html).toContain(`Welcome to ${productName}<`);
  },
);

test('without SMTP_URL it is a file that other users cannot read, and the start says so', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist() } });
  const folder = site.config.files.mail;
  expect(site.logged().map(({ msg }) => msg)).toEqual([
    `No SMTP_URL: mails after registrations are not sent. They are files in ${folder}`,
  ]);
  await register(site);
  await expect.poll(() => filesIn(folder)).toEqual([expect.stringMatching(/\.eml$/)]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const file = join(folder, filesIn(folder)[0] ?? '');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const mail = await PostalMime.parse(readFileSync(file));
  expect(mail.to).toEqual([{ name: '', address: 'Ana@example.org' }]);
  expect(mail.text).toContain('https://portal.example/create-account');
});

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
