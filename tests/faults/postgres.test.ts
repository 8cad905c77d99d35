/** PostgreSQL ends, hangs or loses its machine while clients send clicks. No server is restarted. */

import { randomUUIDv7 as newId } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { readSettings } from '../../server/settings.ts';
import { type Postgres, query, startPair, startPostgres } from '../helpers/cluster/postgres.ts';
import { testWithPostgres } from '../helpers/cluster/test-with-postgres.ts';
import { postgresEnv } from '../helpers/server/databases.ts';
import { PERSON, readPeople } from '../helpers/server/registrations.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { makeLoad, startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const untilEnd = (postgres: Postgres) => {
  onTestFinished(postgres.remove);
  return postgres;
};
const statusOf = async (url: string) => (await fetch(url)).status;

testWithPostgres(
  'PostgreSQL stops, is killed, and starts: 503 meanwhile, and no click is lost or counts twice',
  async () => {
    const postgres = untilEnd(await startPostgres());
    const server = await startServer({ env: postgresEnv(await postgres.createDatabase()) });
    const load = makeLoad();
    const stop = startLoad(server.url, load, { pauseMs: 20 });
    for (const end of [postgres.stop, postgres.kill]) {
      await untilAcked(load, 300);
      await end();
      await untilAnswered(load, 503, 50);
      expect(await statusOf(server.url)).toBe(200);
      expect(await statusOf(`${server.url}/livez`)).toBe(200);
      expect(await statusOf(`${server.url}/readyz`)).toBe(503);
      await postgres.restart();
    }
    await untilAcked(load, 300);
    await stop();
    expect([...load.others.keys()]).toEqual([503]);
    expect(await statusOf(`${server.url}/readyz`)).toBe(200);
    await expectKept(server, load);
  },
);

testWithPostgres(
  'a server that starts before PostgreSQL keeps clicks once it is there',
  async () => {
    const postgres = untilEnd(await startPostgres());
    const env = postgresEnv(await postgres.createDatabase());
    await postgres.stop();
    const server = await startServer({ env });
    const load = makeLoad();
    const stop = startLoad(server.url, load, { pauseMs: 20 });
    await untilAnswered(load, 503, 50);
    expect(await statusOf(server.url)).toBe(200);
    await postgres.restart();
    await untilAcked(load, 100);
    await stop();
    await expectKept(server, load);
  },
);

testWithPostgres(
  'PostgreSQL hangs: a browser gets 503 before it gives up after 5 s, and clicks are kept again after the hang',
  async () => {
    const postgres = untilEnd(await startPostgres());
    const server = await startServer({ env: postgresEnv(await postgres.createDatabase()) });
    const load = makeLoad();
    const click = async () => {
      const id = newId();
      const answer = await fetch(server.url + LOG_CTA_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(makeBody({ id })),
        signal: AbortSignal.timeout(5000),
      });
      if (answer.status === 200) load.acked.add(id);
      return answer.status;
    };
    expect(await click()).toBe(200);
    postgres.hang();
    // The first ones wait for the transaction under way, the next ones behind it.
    const first = Array.from({ length: 20 }, click);
    const second = new Promise((resolve) => setTimeout(resolve, 2000)).then(() =>
      Promise.all(Array.from({ length: 20 }, click)),
    );
    expect(new Set(await Promise.all(first))).toEqual(new Set([503]));
    expect(new Set(await second)).toEqual(new Set([503]));
    expect(await statusOf(server.url)).toBe(200);
    expect(await statusOf(`${server.url}/readyz`)).toBe(503);
    postgres.goOn();
    await expect.poll(click).toBe(200);
    expect(await statusOf(`${server.url}/api/stats`)).toBe(200);
    await expectKept(server, load);
  },
);

testWithPostgres(
  'the primary’s machine is lost, and its synchronous standby is promoted: no click is lost or counts twice, and registrations are kept',
  async () => {
    const { primary, standby } = await startPair();
    untilEnd(primary);
    untilEnd(standby);
    await primary.createDatabase();
    const urls = [primary, standby].map(({ url }) => url('test_1'));
    const env = { ...postgresEnv(urls.join(',')) };
    const server = await startServer({ env });
    const load = makeLoad();
    const stop = startLoad(server.url, load, { pauseMs: 20 });
    await untilAcked(load, 500);
    await primary.remove();
    await untilAnswered(load, 503, 50);
    await query(standby.url('postgres'), 'SELECT pg_promote()');
    await untilAcked(load, 500);
    const registered = await fetch(`${server.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(PERSON),
    });
    expect(registered.status).toBe(201);
    const settings = readSettings({ ...env, DATA_DIR: server.dataDir });
    expect(await readPeople(settings)).toMatchObject([{ email: PERSON.email }]);
    await stop();
    expect([...load.others.keys()]).toEqual([503]);
    await expectKept({ dataDir: server.dataDir, databaseUrl: urls[1] }, load);
  },
);

testWithPostgres(
  'two servers of one name get the same clicks and others at the same moment: each is logged once and counts once',
  async () => {
    const postgres = untilEnd(await startPostgres());
    const env = postgresEnv(await postgres.createDatabase());
    const servers = await Promise.all([startServer({ env }), startServer({ env })]);
    const acked = new Set<string>();
    const wrong: string[][] = [];
    const send = async (url: string, id: string, event: string | undefined) => {
      const body = JSON.stringify(makeBody({ id, event }));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url + LOG_CTA_PATH, { method: 'POST', headers, body });
      acked.add(id);
      return String(((await answer.json()) as { status?: string }).status ?? answer.status);
    };
    const client = async (_: unknown, n: number) => {
      for (let i = 0; i < 20; i += 1) {
        const isSame = i % 2 === 0;
        const ids = isSame ? Array(2).fill(newId()) : [newId(), newId()];
        const answers = await Promise.all(
          servers.map(({ url }, at) =>
            send(url, ids[at], CTA_EVENTS[(n + i + at) % CTA_EVENTS.length]),
          ),
        );
        const expected = isSame ? 'duplicate logged' : 'logged logged';
        if (answers.sort().join(' ') !== expected) wrong.push(answers);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    expect(wrong).toEqual([]);
    const dataDirs = servers.map(({ dataDir }) => dataDir);
    expect(await expectKept(servers[0], { acked }, dataDirs)).toBe(acked.size);
  },
);
