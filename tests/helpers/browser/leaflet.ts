/** Makes a leaflet as an operator does, and reads it as a phone does. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestInfo } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { distOf } from '../../e2e/build-sites.ts';
import { ZBARIMG } from '../run/needs.ts';

export interface Leaflet {
  host: string;
  code: string;
  args: string[];
  /** The address in its QR code, where the code is not so small that it needs a better camera. */
  address?: string;
}
export const SHORT: Leaflet = {
  host: 'sma-data-drive.example',
  code: 'clinic-7',
  args: ['--utm-source', 'leaflet'],
  address: 'https://sma-data-drive.example/r/clinic-7?utm_source=leaflet',
};
/** The longest code, a long host, and every parameter. */
export const LONG: Leaflet = {
  host: 'national-patient-data-initiative.organisation.example',
  code: `${'long-code-'.repeat(6)}abcd`,
  args: ['source', 'medium', 'campaign', 'content', 'term'].flatMap((name) => [
    `--utm-${name}`,
    'x'.repeat(64),
  ]),
};

/** Runs the command as an operator does. @returns the leaflet's file URL, and the files' common path without ending */
export function makeLeaflet(info: TestInfo, language: Language, { host, code, args }: Leaflet) {
  const dist = info.outputPath('dist');
  for (const file of ['site.json', 'leaflet.html', 'es', 'client']) {
    cpSync(join(distOf('form'), file), join(dist, file), { recursive: true });
  }
  const settings = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8'));
  writeFileSync(
    join(dist, 'site.json'),
    JSON.stringify({ ...settings, siteUrl: `https://${host}` }),
  );
  const to = info.outputPath('leaflets');
  const options = ['--ref', code, '--language', language, '--to', to, '--build', dist, ...args];
  execFileSync(process.execPath, ['server/commands/site.ts', 'link', ...options]);
  const path = join(to, `link-${code}`);
  const ending = language === 'en' ? 'html' : `${language}.html`;
  return { path, url: pathToFileURL(`${path}.${ending}`).href };
}

/** Reads the QR codes of a picture with zbarimg, as a phone's camera would. */
export function readQrCodes(file: string): string[] {
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file];
  // zbarimg warns on standard error that there is no D-Bus.
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return execFileSync(ZBARIMG, options, { encoding: 'utf8', stdio }).split('\n').filter(Boolean);
}
