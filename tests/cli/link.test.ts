import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const CLINIC = {
  code: 'Clinic-7',
  label: 'Children’s clinic, Springfield',
  channel: 'clinic',
  since: '2026-01-31',
};
const TEMPLATE =
  '<title>LEAFLET_NAME</title><a href="LEAFLET_URL">LEAFLET_CODE</a><a href="LEAFLET_SHORT_URL">LEAFLET_HOST LEAFLET_PATH</a>';

function makeSite(site: { siteUrl?: string; apiOrigin?: string } = {}) {
  const distDir = makeDist(site);
  writeFileSync(join(distDir, 'leaflet.html'), TEMPLATE);
  return distDir;
}

function makeTable(text = JSON.stringify([CLINIC])) {
  const file = join(makeDataDir(), 'campaigns.json');
  writeFileSync(file, text);
  return file;
}

async function link(args: string[], { dist = makeSite(), table = '' } = {}) {
  const to = join(makeDataDir(), 'leaflets');
  const env = { DIST_DIR: dist, CAMPAIGNS_FILE: table };
  const run = await runCli('clicks.ts', ['link', ...args, '--to', to], env);
  const read = (file: string) => readFileSync(join(to, file), 'utf8');
  return { ...run, to, read };
}

test('prints the address first, with the label, and writes the leaflet and the QR code', async () => {
  const { out, err, code, to, read } = await link(
    ['--ref', 'clinic-7', '--utm-source', 'leaflet', '--utm-term', 'a.b'],
    { table: makeTable() },
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const url = 'https://site.example/r/Clinic-7?utm_source=leaflet&utm_term=a.b';
  expect(out.split('\n').slice(0, 3)).toEqual([
    url,
    '',
    'Children’s clinic, Springfield (clinic, since 2026-01-31)',
  ]);
  for (const ending of ['html', 'svg', 'png']) {
    expect(out).toContain(join(to, `link-Clinic-7.${ending}`));
    expect(existsSync(join(to, `link-Clinic-7.${ending}`))).toBe(true);
  }
  const leaflet = read('link-Clinic-7.html');
  expect(leaflet).toContain('<title>Clinic-7</title>');
  expect(leaflet).toContain(`href="${url.replace('&', '&#38;')}"><svg`);
  expect(leaflet).toContain('href="https://site.example/r/Clinic-7">site.example /r/Clinic-7<');
  expect(leaflet).not.toContain('LEAFLET_');
  // Visitors never see the label.
  expect(leaflet).not.toContain('Springfield');
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
    expect(err).toContain('link --ref CODE');
    expect(existsSync(to)).toBe(false);
  });

  test('a code that the table does not have, and names the nearest one', async () => {
    const { err, code, to } = await link(['--ref', 'clinci-7'], { table: makeTable() });
    expect(code).toBe(1);
    expect(err).toMatch(/^clinci-7 is not in .*campaigns\.json\. Did you mean Clinic-7\?/);
    expect(existsSync(to)).toBe(false);
  });

  test('a table with faults', async () => {
    const table = makeTable(JSON.stringify([{ ...CLINIC, since: 'today' }]));
    const { err, code } = await link(['--ref', 'clinic-7'], { table });
    expect(code).toBe(1);
    expect(err).toContain('entry 1 (Clinic-7): "since" must be a date, such as 2026-01-31');
  });

  test('a build without a leaflet', async () => {
    const { err, code } = await link(['--ref', 'a'], { dist: makeDist() });
    expect(code).toBe(1);
    expect(err).toMatch(/There is no leaflet at .*leaflet\.html\. Run `npm run build` first/);
  });
});
