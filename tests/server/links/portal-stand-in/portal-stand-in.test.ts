/** GET /create-account of the default build, which has no portal. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../../../helpers/server/server-app.ts';

const PATH = '/create-account';
const DIST_DIR = resolve(process.env.DIST_DIR ?? 'dist');

async function open(query: string, headers: Record<string, string> = {}) {
  const { app } = await startApp({ env: { DIST_DIR } });
  return app.inject({ url: `${PATH}?${query}`, headers });
}

/** The words of the page's card. */
const wordsOf = (html: string) => {
  const [, main = ''] = html.split('<main');
  return main.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
};

test('says what opens there, why it does not, and shows the ref and the invitation code', async () => {
  const { statusCode, headers, body } = await open('invitation_code=SMADRIVE&ref=clinic-7');
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(body).toContain('<meta name="robots" content="noindex"');
  expect(body).not.toContain('<script');
  const words = wordsOf(body);
  for (const text of [
    'Later, the portal of Wayfield Health will open here.',
    'portalHost',
    ': SMADRIVE',
    ': clinic-7',
  ])
    expect(words).toContain(text);
  expect(words).not.toMatch(/privacy policy of|terms of|\{\{|will open in this tab/);
  const privacy = wordsOf((await open('page=privacy')).body);
  expect(privacy).toContain('Later, the privacy policy of Wayfield Health will open here.');
  expect(privacy).not.toMatch(/The portal of|code:/i);
  expect(wordsOf((await open('page=terms')).body)).toContain('Later, the terms of Wayfield Health');
});

test('shows any value as text, cut, in the language of the page with the link', async () => {
  const script = '<script>alert(1)</script>{{code}}';
  const code = `<b title="'&">`;
  const typed = new URLSearchParams({ ref: script, invitation_code: code });
  const { body } = await open(String(typed));
  expect(body).not.toMatch(/<script|<b title/);
  expect(body).toContain('<b>&lt;b title=&quot;&#39;&amp;&quot;&gt;</b>');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;{{code}}');
  for (const [headers, language] of [
    [{ referer: 'https://site.example/es/help/' }, 'es'],
    [{ referer: 'https://site.example/help/', 'accept-language': 'es' }, 'en'],
    [{ 'accept-language': 'es' }, 'en'],
  ] as const) {
    const query = `invitation_code=${'c'.repeat(99)}&ref=${'r'.repeat(999)}`;
    const long = await open(query, headers);
    expect(long.body).toContain(`<html lang="${language}">`);
    expect(wordsOf(long.body)).toMatch(/ c{64} .* r{128} /);
  }
});

test('answers no other method; no log and no file for search engines has its address; with a portal it is an unknown path', async () => {
  const { app, logged } = await startApp({ env: { DIST_DIR, LOG_LEVEL: 'debug' } });
  expect((await app.inject({ method: 'HEAD', url: PATH })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: PATH })).statusCode).toBe(404);
  await app.inject(`${PATH}?ref=clinic-7`);
  expect(JSON.stringify(logged())).not.toContain('clinic-7');
  expect((await app.inject('/robots.txt')).body).not.toContain(PATH);
  const other = await startApp({ site: { portalHost: 'portal.example' } });
  const { statusCode, body } = await other.app.inject(`${PATH}?ref=clinic-7`);
  expect([statusCode, body]).toEqual([404, expect.stringContaining('404 Page Not Found')]);
});
