/**
 * The mails after registrations: from the form's answer to the SMTP server. limits.test.ts has
 * delays and limits.
 */
import { describe, expect, test, vi } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, execute } from '../../../helpers/server/databases.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { readMails, register } from '../../../helpers/server/registrations.ts';
import { type Site, startApp } from '../../../helpers/server/server-app.ts';
import { makeFormDist } from '../../../helpers/server/server-dist.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>;

const AWAY = 'Mails cannot be sent; they wait';
const people = (...names: string[]) => names.map((name) => `${name}@example.org`);
const recipients = ({ received }: Smtp) => received.map(({ envelope }) => envelope.to[0] ?? '');
const outbox = (site: Site) => site.rows('SELECT attempts, refused FROM mail_outbox ORDER BY id');
/** The log's lines about mails. */
const said = (site: Site) =>
  site.logged().flatMap(({ msg, reason }) => (/mail/i.test(`${msg}`) ? [[msg, reason]] : []));

/** Sends one mail. @returns whether there may be more */
const sendNext = (site: Site) => site.step('mails');

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('while the SMTP server is away mails wait, and the log has a line at both ends', async () => {
    const port = await freePort();
    const env = { ...(await makeEnv()), SMTP_URL: `smtp://127.0.0.1:${port}` };
    const site = await startApp({ env, jobs: ['mails'] });
    await register(site, ...people('a', 'b'));
    const tried =
      'SELECT 1 FROM mail_outbox JOIN registrations USING (id) WHERE due_at > mail_due_at';
    await expect.poll(() => site.rows(tried)).toHaveLength(2);
    const smtp = await startSmtpServer({ port });
    await expect.poll(() => outbox(site)).toEqual([]);
    expect(recipients(smtp).sort()).toEqual(people('a', 'b'));
    await expect
      .poll(() => said(site))
      .toEqual([
        [AWAY, 'ESOCKET'],
        ['Mails can be sent again', undefined],
      ]);
  });

  test('a mail that was sent while the database took no outcome is not sent again', async () => {
    const rename = (from: string, to: string) => `ALTER TABLE ${from} RENAME TO ${to}`;
    const smtp = await startSmtpServer({
      async data() {
        await execute(site.config, rename('mail_outbox', 'elsewhere'));
        return 250;
      },
    });
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url };
    const site = await startApp({ env, jobs: [] });
    await register(site, ...people('ana'));
    await expect(sendNext(site)).rejects.toThrow('mail_outbox');
    await expect(sendNext(site)).rejects.toThrow('mail_outbox');
    await execute(site.config, rename('elsewhere', 'mail_outbox'));
    expect(await sendNext(site)).toBe(false);
    expect(await outbox(site)).toEqual([]);
    expect(recipients(smtp)).toEqual(people('ana'));
  });

  test.runIf(name === 'PostgreSQL')('one of two servers sends, and then the other', async () => {
    const env = { ...(await makeEnv()), SMTP_URL: 'smtp://localhost' };
    const sent: string[] = [];
    const send = async (_: unknown, { to }: { to: string[] }) => void sent.push(...to);
    const start = () => startApp({ env, jobs: ['mails'], senders: { mails: { send } } });
    const [one, two] = [await start(), await start()];
    const some = people('a', 'b', 'c');
    const others = people('d', 'e', 'f');
    await Promise.all([register(one, ...some), register(two, ...others)]);
    await expect.poll(() => outbox(one)).toEqual([]);
    expect(sent.toSorted()).toEqual([...some, ...others]);
    await one.close();
    await register(two, ...people('g'));
    await expect.poll(() => outbox(two)).toEqual([]);
    expect(sent).toHaveLength(7);
  });
});

test('a mail waits until SMTP_URL names a server with TLS or on this machine, and is then sent once', async () => {
  const told = vi.fn(() => 250);
  const smtp = await startSmtpServer({ recipient: told });
  const first = await startApp({ env: { DIST_DIR: makeFormDist() }, jobs: [] });
  await register(first, ...people('ana'));
  expect(said(first)).toEqual([
    ['No SMTP_URL: mails after registrations are not sent. They wait in the database', undefined],
  ]);
  await first.close();
  const { dataDir } = first.config;

  // An address of this machine that does not count as local. The server has no STARTTLS.
  const remote = `smtp://127.0.0.2:${smtp.port}`;
  const second = await startApp({ env: { SMTP_URL: remote }, dataDir, jobs: [] });
  await expect(sendNext(second)).rejects.toThrow('500');
  await second.close();
  expect(told).not.toHaveBeenCalled();

  const third = await startApp({ env: { SMTP_URL: smtp.url }, dataDir, jobs: [] });
  expect(await sendNext(third)).toBe(true);
  expect(await sendNext(third)).toBe(false);
  expect(recipients(smtp)).toEqual(people('ana'));
  expect(await outbox(third)).toEqual([]);
  expect(await readMails(third.config)).toEqual(['sent']);
});

test('a refused mail is not tried again, and one that is put off is, as the same message', async () => {
  const [refused = '', late = ''] = people('refused', 'late');
  const asked: string[] = [];
  const smtp = await startSmtpServer({
    recipient(_n, address) {
      asked.push(address);
      if (address === refused) return 550;
      return asked.indexOf(address) === asked.length - 1 ? 450 : 250;
    },
    data: (n) => (n === 0 ? 451 : 250),
  });
  let now = Date.now();
  const site = await startApp({ env: { SMTP_URL: smtp.url }, jobs: [], now: () => now });
  await register(site, refused, late);
  // Put off at its recipient, and then at its end.
  for (const waiting of [
    [{ attempts: 0, refused: '550' }, { attempts: 0 }],
    [{ attempts: 0 }, { attempts: 1 }],
    [{ attempts: 0 }, { attempts: 2 }],
  ]) {
    now += 1000;
    await sendNext(site);
    expect(await outbox(site)).toMatchObject(waiting);
  }
  now += 1000;
  while (await sendNext(site));
  expect(asked).toEqual([refused, late, late, late]);
  expect(await outbox(site)).toEqual([{ attempts: 0, refused: '550' }]);
  expect(recipients(smtp)).toEqual([late, late]);
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
  expect(said(site)).toEqual([
    ['A mail was refused, and is not tried again', '550'],
    ['A mail is put off', '450'],
  ]);
});

test('a stopping server stores what became of the mail under way', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<number>();
  const smtp = await startSmtpServer({ data: () => taken });
  const before = await startApp({ jobs: [] });
  await register(before, ...people('ana'));
  await before.close();
  const { dataDir } = before.config;
  const server = await startServer({ dataDir, env: { SMTP_URL: smtp.url } });
  await expect.poll(() => smtp.received.length).toBe(1);
  const stopped = server.stop('SIGTERM');
  await expect.poll(server.said).toContain('Stopping (SIGTERM)');
  take(250);
  expect(await stopped).toBe(0);
  expect(await readMails(before.config)).toEqual(['sent']);
});

test('a site without the form says nothing about mails', async () => {
  expect(said(await startApp())).toEqual([]);
});
