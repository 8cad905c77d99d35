/** GET /report/links/CODE and CODE/qr. */
import { expect, test } from 'vitest';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

async function startSite() {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  const headers = withPassword(ADMIN_PASSWORD);
  const get = (path: string) => site.app.inject({ url: `/report/links/${path}`, headers });
  const env = { DATA_DIR: site.config.dataDir };
  const options = ['--to', env.DATA_DIR, '--build', makeDist()];
  const name = (ref: string, text: string) =>
    runSite(['link', '--ref', ref, '--name', text, ...options], env);
  return { ...site, get, name };
}

test('a link with a name has a leaflet in two languages and a QR code', async () => {
  const { get, name } = await startSite();
  await name('a.b-7', 'Bay Clinic');
  const english = await get('a.b-7');
  expect([english.statusCode, english.headers]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*font-src data:;/),
    }),
  ]);
  expect(english.body).toContain('<title>a.b-7 – SMA Data Drive</title>');
  // A family without email calls.
  expect(english.body).toContain('or <a href="tel:+15550100199">+1 (555) 010-0199</a>');
  // The name is for the team.
  expect(english.body).not.toMatch(/Bay Clinic|<script/);
  const spanish = (await get('a.b-7?language=es')).body;
  expect(spanish).toContain('<html lang="es">');
  expect(spanish).toContain('o <a href="tel:+15550100199">+1 (555) 010-0199</a>');
  expect(spanish).toContain('href="https://site.example/es/r/a.b-7"');
  const codes = await Promise.all(['a.b-7/qr', 'a.b-7/qr?language=es'].map(get));
  for (const { headers } of codes) expect(headers['content-type']).toBe('image/svg+xml');
  for (const [i, page] of [english.body, spanish].entries()) expect(page).toContain(codes[i]?.body);
});

test('refuses what it has no link for, and those without the password', async () => {
  const { app, get } = await startSite();
  for (const [path, status, sentence] of [
    ['clinic-8', 404, 'No link with a name has this code. Make it on /report.'],
    ['clinic-8/qr', 404, 'No link with a name has this code. Make it on /report.'],
    ['-a', 400, 'It must be 1 to 64 letters, digits'],
    [`${'a'.repeat(65)}/qr`, 400, 'It must be 1 to 64 letters, digits'],
    ['a?language=fr', 400, 'It must be en or es.'],
  ] as const) {
    const { statusCode, body } = await get(path);
    expect([path, statusCode, JSON.stringify(JSON.parse(body))]).toEqual([
      path,
      status,
      expect.stringContaining(sentence),
    ]);
  }
  const closed = await startApp();
  for (const path of ['/report/links/a', '/report/links/a/qr']) {
    expect((await app.inject(path)).statusCode).toBe(401);
    expect((await closed.app.inject(path)).statusCode).toBe(404);
  }
});
