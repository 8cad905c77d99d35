import { expect, test } from 'vitest';
import { readSettings } from '../../server/settings.ts';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { seededRandom } from '../helpers/run/seeded-random.ts';
import { PERSON, readMails, readPeople } from '../helpers/server/registrations.ts';
import { startServer } from '../helpers/server/server-process.ts';

const ROUNDS = 2;
const CLIENTS = 8;

/**
 * Registers one person after the other until the server ends. Each has an address of another
 * network, because mails for many registrations of one network are delayed.
 */
async function registerUntilGone(url: string, next: () => number, acked: Set<string>) {
  for (;;) {
    const n = next();
    const email = `person${n}@example.org`;
    const answer = await fetch(`${url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${n}.1` },
      body: JSON.stringify({ ...PERSON, email }),
    }).catch(() => null);
    if (answer?.status !== 201) return;
    acked.add(email);
  }
}

test(`SIGKILL while people register, ${ROUNDS} times: every registration is there once, and so is its mail`, async () => {
  const smtp = await startSmtpServer();
  const env = { SMTP_URL: smtp.url, TRUST_PROXY: '1' };
  const acked = new Set<string>();
  const random = seededRandom();
  let count = 0;
  const next = () => ++count;
  let server = await startServer({ env });
  const { dataDir } = server;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { url } = server;
    const target = acked.size + 1 + Math.floor(random() * 40);
    const clients = Array.from({ length: CLIENTS }, () => registerUntilGone(url, next, acked));
    await expect.poll(() => acked.size, { interval: 5 }).toBeGreaterThan(target);
    await server.stop('SIGKILL');
    await Promise.all(clients);
    server = await startServer({ dataDir, env });
  }

  const settings = readSettings({ DATA_DIR: dataDir });
  // The server sends one mail at a time, and smtp-server waits 0.1 s before its greeting.
  await expect
    .poll(async () => new Set(await readMails(settings)), { interval: 500 })
    .toEqual(new Set(['sent']));
  const kept = (await readPeople(settings)).map(({ email }) => email);
  expect([...acked].filter((email) => !kept.includes(email))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);

  // A mail may arrive twice if the server was killed before it noted the SMTP server's answer. Both
  // have the same message id.
  const messages = new Map(smtp.received.map(({ messageId, to }) => [messageId, to?.[0]?.address]));
  expect([...messages.values()].sort()).toEqual(kept.toSorted());
  expect(smtp.received.length - messages.size).toBeLessThanOrEqual(ROUNDS);
});
