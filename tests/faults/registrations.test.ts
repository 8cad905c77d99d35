import { expect, test } from 'vitest';
import { readSettings } from '../../server/settings.ts';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { readRegistrations } from '../helpers/server/registrations.ts';
import { startServer } from '../helpers/server/server-process.ts';

const ROUNDS = 2;
const CLIENTS = 8;

/** Each in its own network, because the mails of one network wait for each other. */
function makePeople(): () => { email: string; address: string } {
  let count = 0;
  return () => {
    count += 1;
    return {
      email: `person-${count}@example.org`,
      address: `10.${Math.floor(count / 256)}.${count % 256}.1`,
    };
  };
}

/** Registers one person after another until the server ends. */
async function registerUntilGone(
  url: string,
  next: ReturnType<typeof makePeople>,
  acked: Set<string>,
) {
  for (;;) {
    const { email, address } = next();
    const answer = await fetch(`${url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ firstName: 'Ana', lastName: 'Silva', email, agreedToTerms: true }),
    }).catch(() => null);
    if (answer?.status !== 201) return;
    acked.add(email);
  }
}

test(`SIGKILL while people register, ${ROUNDS} times: every registration is there once, and so is its mail`, async () => {
  const smtp = await startSmtpServer();
  const env = { SMTP_URL: smtp.url, RATE_LIMIT: '0', TRUST_PROXY: '1' };
  const acked = new Set<string>();
  const next = makePeople();
  let server = await startServer({ env });
  const { dataDir } = server;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { url } = server;
    const target = acked.size + 1 + Math.floor(Math.random() * 60);
    const clients = Array.from({ length: CLIENTS }, () => registerUntilGone(url, next, acked));
    await expect.poll(() => acked.size, { interval: 5 }).toBeGreaterThan(target);
    await server.stop('SIGKILL');
    await Promise.all(clients);
    server = await startServer({ dataDir, env });
  }

  const read = () => readRegistrations(readSettings({ DATA_DIR: dataDir }));
  const isSent = async () => (await read()).every(({ mail }) => mail.state === 'sent');
  // The server sends one mail at a time, and this SMTP server takes 0.1 s to greet.
  await expect.poll(isSent, { timeout: 100_000, interval: 500 }).toBe(true);
  const kept = (await read()).map(({ person }) => person.email);
  expect([...acked].filter((email) => !kept.includes(email))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);

  // A mail may arrive twice if the kill came between the SMTP server's answer and its note. Both are the same message.
  const messages = new Map(smtp.received.map(({ messageId, to }) => [messageId, to?.[0]?.address]));
  expect([...messages.values()].sort()).toEqual([...kept].sort());
  const again = smtp.received.length - messages.size;
  expect(again).toBeLessThanOrEqual(ROUNDS);
  process.stdout.write(
    `${ROUNDS} kills: ${acked.size} acknowledged, ${kept.length} kept, ${messages.size} mails, ${again} of them sent again\n`,
  );
});
