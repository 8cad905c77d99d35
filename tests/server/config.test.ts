import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readSiteConfig, SITE_VARIABLES } from '#site.config.ts';
import { readConfig, SERVER_VARIABLES } from '../../server/config.ts';

test('every setting has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: 'localhost',
    dataDir: resolve('data'),
    logIp: 'full',
    trustProxy: false,
    rateLimit: { clicks: 600, register: 20, events: 1200, other: 3000 },
    posthogHost: 'https://us.i.posthog.com',
  });
});

test('the files have names that scripts may rely on', () => {
  const { files } = readConfig({ DATA_DIR: '/srv/data' });
  expect(files.ledger).toBe(join('/srv/data', 'clicks.jsonl'));
  expect(files.rejectedBodies).toBe(join('/srv/data', 'refused.jsonl'));
  expect(files.clickIndex).toBe(join('/srv/data', 'site.sqlite'));
});

test('names all faults at once', () => {
  const wrong = {
    PORT: '99999',
    HOST: 'a b',
    LOG_LEVEL: 'loud',
    LOG_IP: 'some',
    TRUST_PROXY: 'true',
    HSTS: 'yes',
    MAX_CONNECTIONS: '0',
    RATE_LIMIT_CLICKS: '-1',
    RATE_LIMIT_REGISTER: '1.5',
    RATE_LIMIT_EVENTS: '1e3',
    RATE_LIMIT_OTHER: 'many',
    QUARANTINE_MAX_MB: '0',
    POSTHOG_HOST: 'ftp://posthog.example',
    DATABASE_URL: 'mysql://user:hunter2@db.example/site',
    REDIS_URL: 'localhost:6379',
    REDIS_TIMEOUT_MS: '5',
    CLICK_INDEX_MONTHS: '1',
    CORS_ORIGINS: 'https://a.example,*',
  };
  let message = '';
  try {
    readConfig(wrong);
  } catch (error) {
    message = (error as Error).message;
  }
  for (const name of Object.keys(wrong))
    expect(message).toMatch(new RegExp(`^  ${name} must be`, 'm'));
  expect(message).not.toContain('hunter2');
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', TRUST_PROXY: ' ' })).toMatchObject({
    port: 3000,
    trustProxy: false,
  });
});

test.each([
  ['1', 1],
  ['10.0.0.1, 192.168.0.0/16,loopback', ['10.0.0.1', '192.168.0.0/16', 'loopback']],
  ['2001:db8::/32', ['2001:db8::/32']],
])('proxies may be %s', (value, expected) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(expected);
});

test.each(['true', '*', '0', '99', '0.0.0.0/0', '10.0.0.1/33', 'proxy.example', '1.2.3.4/5/6'])(
  'proxies may not be %s',
  (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow(/TRUST_PROXY must be/);
  },
);

test('.env.example names every variable, with its default', () => {
  const example = readFileSync('.env.example', 'utf8');
  const values = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name ?? '', value ?? '']),
  );
  const ours = [...SERVER_VARIABLES, ...SITE_VARIABLES];
  expect(ours.filter((name) => !(name in values))).toEqual([]);
  expect(Object.keys(values).filter((name) => !ours.includes(name))).toEqual([]);
  expect(readConfig(values)).toEqual(readConfig({}));
  expect(readSiteConfig(values)).toEqual(readSiteConfig({}));
});

test('servers that share a database need given keys', () => {
  const env = { DATABASE_URL: 'postgres://site@db.example/site' };
  expect(() => readConfig(env)).toThrow(/REGISTRATION_KEYS or REGISTRATION_KEYS_FILE must be set/);
  const { databaseUrl } = readConfig({ ...env, REGISTRATION_KEYS_FILE: '/run/secrets/keys' });
  expect(databaseUrl?.host).toBe('db.example');
});

test('the metrics have a port of their own, and can be off', () => {
  const portOf = (METRICS_PORT?: string) => readConfig({ METRICS_PORT }).metricsPort;
  expect([portOf(), portOf('9001'), portOf('off'), portOf('0')]).toEqual([9464, 9001, null, null]);
  for (const wrong of ['70000', '-1', 'on'])
    expect(() => portOf(wrong)).toThrow('METRICS_PORT must be a port from 1 to 65535, or off');
});
