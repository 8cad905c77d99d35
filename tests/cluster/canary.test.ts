/** The canary through the public way: TLS, nginx, three servers, Redis, PostgreSQL. */
import { expect, test } from 'vitest';
import { startCluster } from '../helpers/cluster/cluster.ts';
import { query } from '../helpers/cluster/postgres.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { storedIds } from '../helpers/server/server-process.ts';

const CANARY_KEY = 'k'.repeat(32);

test('arrives through TLS and nginx, and names the stage that fails', async () => {
  const cluster = await startCluster({ CANARY_KEY });
  const trusted = { CANARY_KEY, NODE_EXTRA_CA_CERTS: cluster.certificate };
  const send = (env: Record<string, string> = trusted, url = cluster.url) =>
    runCli('canary.ts', ['--url', url, '--timeout', '30'], env);

  const sent = await send();
  expect(sent).toMatchObject({ code: 0, err: '' });
  const [, id] = /^The click (\S+) is on the disk and in the index/.exec(sent.out) ?? [];
  const ledgers = await Promise.all(cluster.ledgers.map(storedIds));
  expect(ledgers.flat()).toEqual([id]);
  const counted = 'SELECT coalesce(sum(count), 0)::int AS n FROM clicks_per_day WHERE NOT is_bot';
  expect(await query(cluster.databaseUrl, counted)).toEqual([{ n: 0 }]);

  const expectFailure = async (run: ReturnType<typeof send>, message: RegExp) =>
    expect(await run).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
  const otherPort = new URL(cluster.url);
  otherPort.port = '1';
  const otherName = new URL(cluster.url);
  otherName.hostname = 'no-such-host.invalid';
  await Promise.all([
    expectFailure(send({ CANARY_KEY }), /^The canary failed \(TLS\)\. .*self-signed certificate/),
    expectFailure(
      send({ ...trusted, CANARY_KEY: 'x'.repeat(32) }),
      /\(HTTP status\)\. The answer is 403: The signature does not fit/,
    ),
    expectFailure(send(trusted, otherPort.href), /\(connection\)\. .*\(ECONNREFUSED\)/),
    expectFailure(send(trusted, otherName.href), /\(name resolution\)\. The name no-such-host/),
  ]);
  await cluster.postgres.kill();
  await expectFailure(
    send(),
    /\(not on disk\)\. The answer is 503: The click could not be written/,
  );
});
