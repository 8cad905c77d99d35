/** GET /report/links/CODE, CODE/qr and CODE/qr.png. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { execute } from '../../helpers/server/databases.ts';
import { BROKEN, HOSTILE, KEPT, SHOWN } from '../../helpers/server/hostile-text.ts';
import { modulesOfPng, modulesOfSvg } from '../../helpers/server/qr-modules.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';
import { SITE } from '../../helpers/server/write-dist.ts';

async function startSite(settings: Partial<BuiltSite> = {}) {
  const site = await startApp({ env: { ADMIN_PASSWORD }, site: settings });
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
  // The policy allows the style as the page has it.
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(english.body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(english.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
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

test('a leaflet shows names of the site and its code as text', async () => {
  const names = { productName: HOSTILE, partnerName: HOSTILE, contactEmail: "o'neill@a.example" };
  const site = await startSite({ mail: { ...SITE.mail, ...names }, phone: HOSTILE });
  // No command and no form makes such a code.
  const ref = HOSTILE.replaceAll("'", "''");
  await execute(site.config, `INSERT INTO links VALUES ('clinic-7', '${ref}', 'A', 1)`);
  const { body } = await site.get('clinic-7');
  expect(body).not.toMatch(BROKEN);
  const places = [
    `<title>${SHOWN} – ${SHOWN}</title>`,
    `</svg>${SHOWN}</p>`,
    `QR code: site.example/r/${KEPT}"`,
    `<span>/r/${KEPT}</span>`,
    `account with ${SHOWN}, our partner`,
    '<a href="mailto:o&#39;neill@a.example">o&#39;neill@a.example</a>',
    `<a href="tel:+15550100199">${SHOWN}</a>`,
  ];
  expect(places.filter((place) => !body.includes(place))).toEqual([]);
});

test('a QR code is the same as SVG and as PNG of 1,000 pixels', async () => {
  const { get, name } = await startSite();
  for (const code of ['a', 'C'.repeat(64)]) {
    await name(code, 'Bay Clinic');
    const [svg, png] = [await get(`${code}/qr`), await get(`${code}/qr.png`)];
    expect(png.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
    const { width, height, edgeInModules, modules } = modulesOfPng(png.rawPayload);
    expect([width, height]).toEqual([1000, 1000]);
    expect(edgeInModules).toBeGreaterThanOrEqual(4);
    const rows = modulesOfSvg(svg.body).slice(4, -4);
    expect(modules).toEqual(rows.map((row) => row.slice(4, -4)));
  }
  const spanish = [await get('a/qr?language=es'), await get('a/qr.png?language=es')] as const;
  const { modules } = modulesOfPng(spanish[1].rawPayload);
  expect(modulesOfSvg(spanish[0].body)[20]?.slice(4, -4)).toBe(modules[16]);
  expect(spanish[1].rawPayload).not.toEqual((await get('a/qr.png')).rawPayload);
});

test('refuses what it has no link for, and those without the password', async () => {
  const { app, get } = await startSite();
  for (const [path, status, sentence] of [
    ['clinic-8', 404, 'No link with a name has this code. Make it on /report.'],
    ['clinic-8/qr', 404, 'No link with a name has this code. Make it on /report.'],
    ['clinic-8/qr.png', 404, 'No link with a name has this code. Make it on /report.'],
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
  for (const path of ['/report/links/a', '/report/links/a/qr', '/report/links/a/qr.png']) {
    expect((await app.inject(path)).statusCode).toBe(401);
    expect((await closed.app.inject(path)).statusCode).toBe(404);
  }
});
