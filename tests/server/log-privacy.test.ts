/** The server's own log contains nothing that visitors send, at any level. */
import { expect, test } from 'vitest';
import { browserEvent } from '../helpers/fakes/browser-event.ts';
import { execute } from '../helpers/server/databases.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';
import { makeFormDist, SITE } from '../helpers/server/server-dist.ts';

const PERSON = {
  firstName: 'Plantina',
  lastName: 'Plantova',
  email: 'planted@visitor.example',
  smaType: 'Planted type',
  agreedToTerms: true,
};
const ADDRESS = '203.0.113.77';
const PLANTED = /plant|visitor\.example|203\.0\.113/i;

const KEY = SITE.posthogKey;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const QUERY = `?email=${PERSON.email}&ip=${ADDRESS}`;

/** Method, path, content type, body. */
const REQUESTS: ['GET' | 'POST', string, string, string][] = [
  // V8's JSON errors quote short texts completely, and ten characters around the fault of long ones.
  ['POST', '/api/register', JSON_TYPE, PERSON.email],
  ['POST', '/api/register', JSON_TYPE, `{"email": ${PERSON.email}}`],
  ['POST', '/api/register', JSON_TYPE, JSON.stringify(PERSON).slice(0, -1)],
  ['POST', '/api/register', JSON_TYPE, JSON.stringify({ ...PERSON, email: 'planted' })],
  ['POST', '/api/register', JSON_TYPE, JSON.stringify({ ...PERSON, agreedToTerms: 'planted' })],
  ['POST', '/api/register', JSON_TYPE, JSON.stringify({ ...PERSON, x: 'plant'.repeat(2000) })],
  ['POST', '/api/register', JSON_TYPE, JSON.stringify(PERSON)],
  ['POST', '/api/register', FORM, new URLSearchParams({ email: 'planted' }).toString()],
  ['POST', '/api/register', 'text/plain', PERSON.email],
  ['POST', '/api/log-cta', JSON_TYPE, PERSON.email],
  ['POST', '/api/log-cta', JSON_TYPE, JSON.stringify(makeBody({ event: PERSON.email }))],
  ['POST', '/api/log-cta', JSON_TYPE, JSON.stringify(makeBody({ ip: `${ADDRESS}, planted` }))],
  ['POST', '/api/log-cta', JSON_TYPE, JSON.stringify(makeBody({ ip: ADDRESS }))],
  ['POST', '/k/e/', JSON_TYPE, PERSON.email],
  ['POST', '/k/e/', FORM, `data=${btoa(PERSON.email)}`],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify({ event: 'x', properties: PERSON })],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify({ token: KEY, event: 'x', uuid: PERSON.email })],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify({ token: KEY, event: PERSON.email })],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify({ ...browserEvent(), timestamp: PERSON.email })],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify({ ...browserEvent(), token: PERSON.email })],
  ['POST', '/k/e/', JSON_TYPE, JSON.stringify(browserEvent(undefined, PERSON))],
  ['GET', '/%zz', JSON_TYPE, ''],
  ['GET', '/api/nothing', JSON_TYPE, ''],
  ['GET', '/api/stats', JSON_TYPE, ''],
];

test.each(['debug', 'info', 'warn', 'error', 'silent'])(
  'at LOG_LEVEL=%s the log contains nothing that visitors send',
  async (level) => {
    const { app, config, logged } = await startApp({
      env: {
        LOG_LEVEL: level,
        TRUST_PROXY: '1',
        DIST_DIR: makeFormDist({ posthogHost: 'http://127.0.0.1:1' }),
      },
    });
    const sendAll = async () => {
      const statuses: number[] = [];
      for (const [method, path, type, payload] of REQUESTS) {
        const headers = {
          'content-type': type,
          'x-forwarded-for': ADDRESS,
          'user-agent': 'Mozilla/5.0 (X11; Planted x86_64) Gecko/20100101 Firefox/156.0',
          referer: `https://site.example/${QUERY}`,
        };
        const answer = await app.inject({ method, url: path + QUERY, payload, headers });
        statuses.push(answer.statusCode);
      }
      return statuses;
    };
    expect(new Set(await sendAll())).toEqual(new Set([200, 201, 400, 403, 404, 413, 415]));
    // Makes registrations fail inside the database.
    await execute(config, 'ALTER TABLE registrations RENAME TO elsewhere');
    expect((await sendAll())[6]).toBe(503);

    const log = JSON.stringify(logged());
    expect(log).not.toMatch(PLANTED);
    if (level === 'debug') expect(log).toContain('"code":"malformed_json"');
  },
);
