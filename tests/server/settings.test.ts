/** The environment variables, and what an operator reads about faults in them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, VARIABLE_NAMES } from '../../server/settings.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';

const KEYS = `2026a:${Buffer.alloc(32, 7).toString('base64')}`;

function secretFile(text: string): string {
  const file = join(makeDataDir(), 'secret');
  writeFileSync(file, text);
  return file;
}

function faultOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (cause) {
    return (cause as Error).message;
  }
  return 'no fault';
}

test('needs no variable, and takes an empty one as unset', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    PORT: 3000,
    HOST: 'localhost',
    dataDir: resolve('data'),
    databaseUrls: [],
    LOG_LEVEL: 'info',
  });
  expect(readSettings(Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ' '])))).toEqual(
    settings,
  );
});

test('.env.example names every variable, with its default', () => {
  const example = readFileSync('.env.example', 'utf8');
  const values = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', text = '']) => [name, text]),
  );
  const names = VARIABLE_NAMES.filter((name) => !name.endsWith('_FILE'));
  expect(Object.keys(values).sort()).toEqual(names.sort());
  expect(names).toHaveLength(15);
  expect(readSettings(values)).toEqual(readSettings({}));
});

test.each([
  ['eleven signs', 'a'.repeat(11), false],
  ['twelve signs', 'a'.repeat(12), true],
  ['white space around eleven', `  ${'a'.repeat(11)} `, false],
  ['eleven signs of two units each', '😀'.repeat(11), false],
  ['a sentence', 'correct horse battery', true],
])('ADMIN_PASSWORD with %s', (_name, password, isTaken) => {
  for (const env of [
    { ADMIN_PASSWORD: password },
    { ADMIN_PASSWORD_FILE: secretFile(`${password}\n`) },
  ])
    if (isTaken) expect(faultOf(env)).toBe('no fault');
    else expect(faultOf(env)).toContain('\n  ADMIN_PASSWORD must have at least 12 characters: ');
});

test('reads lists, proxies and files with a secret', () => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://a.example/site, postgresql://b.example/site',
    SMTP_URL: 'smtp://mail.example',
    REPORT_MAIL_TO: 'growth@site.example, team@site.example',
    TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,loopback,2001:db8::/32',
    ADMIN_PASSWORD_FILE: secretFile('correct horse\n'),
    REGISTRATION_KEYS_FILE: secretFile(`${KEYS}\n`),
  });
  expect(settings.databaseUrls.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
  expect(settings.REGISTRATION_KEYS).toBe(KEYS);
  expect(settings.REPORT_MAIL_TO).toEqual(['growth@site.example', 'team@site.example']);
  expect(settings.TRUST_PROXY).toEqual(['10.0.0.1', '192.168.0.0/16', 'loopback', '2001:db8::/32']);
  expect(settings.ADMIN_PASSWORD).toBe('correct horse');
  const wrong = ['true', '*', '0', '99', '0.0.0.0/0', '10.0.0.1/33', 'proxy.example'];
  for (const TRUST_PROXY of wrong)
    expect(faultOf({ TRUST_PROXY })).toContain('\n  TRUST_PROXY must be the number of');
});
