/** The server’s own log: it contains nothing that visitors send, at any level. */
import { expect, test } from 'vitest';
import { browserEvent } from '../../helpers/fakes/browser-event.ts';
import { execute } from '../../helpers/server/databases.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';
import { SITE } from '../../helpers/server/write-dist.ts';

const EMAIL = 'planted@visitor.example';
const PERSON = {
  firstName: 'Plantina',
  lastName: 'Plantova',
  email: EMAIL,
  smaType: 'Planted type',
  agreedToTerms: true,
};
const ADDRESS = '203.0.113.77';
const PLANTED = /plant|visitor\.example|203\.0\.113/i;

const token = SITE.posthogKey;
const FORM = 'application/x-www-form-urlencoded';
const QUERY = `?email=${EMAIL}&ip=${ADDRESS}`;
const json = (value: object) => JSON.stringify(value);

/** Bodies by path. Without a content type they are JSON's. */
const BODIES: Record<string, (string | [type: string, body: string])[]> = {
  '/api/register': [
    json(PERSON),
    // V8's JSON errors quote short texts completely, and ten characters around the fault of long
    // ones.
    EMAIL,
    `{"email": ${EMAIL}}`,
    json(PERSON).slice(0, -1),
    json({ ...PERSON, email: 'planted' }),
    json({ ...PERSON, agreedToTerms: 'planted' }),
    json({ ...PERSON, x: 'plant'.repeat(2000) }),
    [FORM, new URLSearchParams({ email: 'planted' }).toString()],
    ['text/plain', EMAIL],
  ],
  '/api/log-cta': [
    EMAIL,
    json(makeBody({ event: EMAIL })),
    json(makeBody({ ip: ADDRESS })),
    json(makeBody({ ip: `${ADDRESS}, planted` })),
  ],
  '/k/visit': [
    EMAIL,
    json({ id: EMAIL, referrer: EMAIL }),
    json({ page_url: `https://${EMAIL}/` }),
    ['text/plain', EMAIL],
  ],
  '/k/e/': [
    EMAIL,
    json({ event: 'x', properties: PERSON }),
    json({ token, event: EMAIL }),
    json({ token, event: 'x', uuid: EMAIL }),
    json({ ...browserEvent(), timestamp: EMAIL }),
    json({ ...browserEvent(), token: EMAIL }),
    json(browserEvent(undefined, PERSON)),
    [FORM, `data=${btoa(EMAIL)}`],
  ],
};

test.each(['debug', 'info', 'silent'])(
  'at LOG_LEVEL=%s the log contains nothing that visitors send',
  async (LOG_LEVEL) => {
    const DIST_DIR = makeFormDist({ posthogHost: 'http://127.0.0.1:1' });
    const { app, config, logged } = await startApp({
      env: { LOG_LEVEL, TRUST_PROXY: '1', DIST_DIR },
    });
    const headers = {
      'x-forwarded-for': ADDRESS,
      'user-agent': 'Mozilla/5.0 (X11; Planted x86_64) Gecko/20100101 Firefox/156.0',
      referer: `https://site.example/${QUERY}`,
    };
    const statuses: number[] = [];
    const sendAll = async () => {
      for (const path of ['/planted/%zz', '/%00planted', '/api/planted', '/api/stats'])
        statuses.push((await app.inject({ url: path + QUERY, headers })).statusCode);
      for (const [path, bodies] of Object.entries(BODIES)) {
        for (const body of bodies) {
          const [type, payload] = typeof body === 'string' ? ['application/json', body] : body;
          const sent = { ...headers, 'content-type': type };
          const request = { method: 'POST', url: path + QUERY, payload, headers: sent } as const;
          statuses.push((await app.inject(request)).statusCode);
        }
      }
    };
    await sendAll();
    // Makes registrations fail inside the database.
    await execute(config, 'ALTER TABLE registrations RENAME TO elsewhere');
    await sendAll();
    expect(new Set(statuses)).toEqual(new Set([200, 201, 400, 404, 413, 415, 503]));
    const log = JSON.stringify(logged());
    expect(log).not.toMatch(PLANTED);
    if (LOG_LEVEL === 'debug') expect(log).toContain('"code":"malformed_json"');
  },
);
