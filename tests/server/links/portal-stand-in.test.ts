/** GET /create-account of the default build, which has no portal. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

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
  for (const text of ['Wayfield Health will open', 'portalHost', ': SMADRIVE', ': clinic-7'])
    expect(words).toContain(text);
  expect(words).not.toMatch(/privacy policy of|terms of|\{\{/);
});

test.each([
  ['privacy', 'The privacy policy of Wayfield Health'],
  ['terms', 'The terms of Wayfield Health'],
])('says for page=%s what opens there', async (page, text) => {
  const words = wordsOf((await open(`page=${page}`)).body);
  expect(words).toContain(text);
  expect(words).not.toMatch(/The portal of|code:/i);
});

test('shows any value as text, and cuts a long one', async () => {
  const script = '<script>alert(1)</script>{{code}}';
  const { body } = await open(new URLSearchParams({ ref: script }).toString());
  expect(body).not.toContain('<script');
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;{{code}}');
  const long = wordsOf(
    (await open(`invitation_code=${'c'.repeat(99)}&ref=${'r'.repeat(999)}`)).body,
  );
  expect(long).toMatch(/ c{64} .* r{128} /);
});

test.each([
  [{ referer: 'https://site.example/es/help/' }, 'es'],
  [{ referer: 'https://site.example/help/', 'accept-language': 'es' }, 'en'],
  [{ 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }, 'es'],
  [{ 'accept-language': 'fr' }, 'en'],
])(
  'is in the language of the page with the link, otherwise of the browser: %j',
  async (headers, language) => {
    const { body } = await open('ref=clinic-7', headers);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain('clinic-7');
  },
);

test('answers HEAD, and no other method', async () => {
  const { app } = await startApp({ env: { DIST_DIR } });
  expect((await app.inject({ method: 'HEAD', url: PATH })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: PATH })).statusCode).toBe(404);
});

test('no log and no list for search engines has its address', async () => {
  const { app, logged } = await startApp({
    env: { DIST_DIR, LOG_LEVEL: 'debug' },
  });
  await app.inject(`${PATH}?ref=clinic-7`);
  expect(JSON.stringify(logged())).not.toContain('clinic-7');
  for (const file of ['/robots.txt', '/sitemap.xml'])
    expect((await app.inject(file)).body).not.toContain(PATH);
});

test('with a portal it is an unknown path', async () => {
  const { app } = await startApp({ site: { portalHost: 'portal.example' } });
  const { statusCode, body } = await app.inject(`${PATH}?ref=clinic-7`);
  expect(statusCode).toBe(404);
  expect(body).toContain('404 Page Not Found');
});
