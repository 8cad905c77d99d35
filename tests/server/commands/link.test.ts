import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const TEMPLATE =
  '<title>LEAFLET_NAME</title><a href="LEAFLET_URL">LEAFLET_CODE</a><a href="LEAFLET_SHORT_URL">LEAFLET_HOST LEAFLET_PATH</a>';

function makeSite(site: { siteUrl?: string } = {}) {
  const distDir = makeDist(site);
  writeFileSync(join(distDir, 'leaflet.html'), TEMPLATE);
  return distDir;
}

async function link(args: string[], { dist = makeSite() } = {}) {
  const to = join(makeDataDir(), 'leaflets');
  const run = await runCli('link.ts', [...args, '--to', to, '--build', dist]);
  const read = (file: string) => readFileSync(join(to, file), 'utf8');
  return { ...run, to, read };
}

test('prints the address first, and writes the leaflet and the QR code', async () => {
  const args = ['--ref', 'Clinic-7', '--utm-source', 'leaflet', '--utm-term', 'a.b'];
  const { out, err, code, to, read } = await link(args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const url = 'https://site.example/r/Clinic-7?utm_source=leaflet&utm_term=a.b';
  expect(out.split('\n')[0]).toBe(url);
  for (const ending of ['html', 'svg', 'png']) {
    expect(out).toContain(join(to, `link-Clinic-7.${ending}`));
    expect(existsSync(join(to, `link-Clinic-7.${ending}`))).toBe(true);
  }
  const leaflet = read('link-Clinic-7.html');
  expect(leaflet).toContain('<title>Clinic-7</title>');
  expect(leaflet).toContain(`href="${url.replace('&', '&#38;')}"><svg`);
  expect(leaflet).toContain('href="https://site.example/r/Clinic-7">site.example /r/Clinic-7<');
  expect(leaflet).not.toContain('LEAFLET_');
});

describe('rejects', () => {
  test.each([
    [[], '--ref must be a code, such as clinic-7'],
    [['--ref', 'clinic 7'], '--ref must be 1 to 64 letters'],
    [['--ref', 'clinic-7.'], '--ref must be 1 to 64 letters'],
    [['--ref', '../../evil'], '--ref must be 1 to 64 letters'],
    [['--ref', 'a', '--utm-source', 'two words'], '--utm-source must be 1 to 64 letters'],
    [['--ref', 'a', '--language', 'fr'], '--language must be en or es, not "fr"'],
    [['--ref', 'a', '--utm_source', 'x'], "Unknown option '--utm_source'"],
  ])('%j, with the fault and the help', async (args, message) => {
    const { err, code, to } = await link(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain('link -- --ref CODE');
    expect(existsSync(to)).toBe(false);
  });

  test('a build without a leaflet', async () => {
    const { err, code } = await link(['--ref', 'a'], { dist: makeDist() });
    expect(code).toBe(1);
    expect(err).toMatch(/There is no leaflet at .*leaflet\.html\. Run `npm run build` first/);
  });
});
