/** The mails after registrations: from the form's answer to the SMTP server. */
import { describe, expect, test, vi } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, execute } from '../../../helpers/server/databases.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { readMails, register } from '../../../helpers/server/registrations.ts';
import { type Site, startApp } from '../../../helpers/server/server-app.ts';
import { makeFormDist } from '../../../helpers/server/server-dist.ts';

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>;

const AWAY = 'Mails cannot be sent; they wait';
const people = (...names: string[]) => names.map((name) => `${name}@example.org`);
const recipients = ({ received }: Smtp) => received.map(({ envelope }) => envelope.to[0] ?? '');
const messageIds = ({ received }: Smtp) => [...new Set(received.map(({ messageId }) => messageId))];
const outbox = (site: Site) => site.rows('SELECT attempts, refused FROM mail_outbox ORDER BY id');
/** The log's lines about mails. */
const said = (site: Site) =>
  site.logged().flatMap(({ msg, reason }) => (/mail/i.test(`${msg}`) ? [[msg, reason]] : []));

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('a mail waits until SMTP_URL names a server with TLS or on this machine, and is then sent once', async () => {
    const env = await makeEnv();
    const told = vi.fn(() => 250);
    const smtp = await startSmtpServer({ recipient: told });
    const first = await startApp({ env: { ...env, DIST_DIR: makeFormDist() } });
    await register(first, ...people('ana'));
    expect(said(first)).toEqual([
      ['No SMTP_URL: mails after registrations are not sent. They wait in the database', undefined],
    ]);
    await first.close();
    const { dataDir } = first.config;
    const withoutForm = await startApp({ env, dataDir });
    expect(said(withoutForm)).toEqual([]);
    await withoutForm.close();

    // An address of this machine that does not count as local. The server has no STARTTLS.
    const remote = `smtp://127.0.0.2:${smtp.port}`;
    const second = await startApp({ env: { ...env, SMTP_URL: remote }, dataDir });
    await expect.poll(() => said(second)).toEqual([[AWAY, '500']]);
    await second.close();
    expect(told).not.toHaveBeenCalled();

    const third = await startApp({ env: { ...env, SMTP_URL: smtp.url }, dataDir });
    await expect.poll(() => outbox(third)).toEqual([]);
    await register(third, ...people('bo'));
    await expect.poll(() => recipients(smtp)).toEqual(people('ana', 'bo'));
    await expect.poll(() => readMails(third.config)).toEqual(['sent', 'sent']);
  });

  test('while the SMTP server is away mails wait, and the log has a line at both ends', async () => {
    const port = await freePort();
    const env = { ...(await makeEnv()), SMTP_URL: `smtp://127.0.0.1:${port}` };
    const site = await startApp({ env });
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
    const site = await startApp({ env: { ...(await makeEnv()), SMTP_URL: smtp.url } });
    await register(site, ...people('ana'));
    await expect.poll(() => said(site).flat()).toContain(AWAY);
    await execute(site.config, rename('elsewhere', 'mail_outbox'));
    await expect.poll(() => outbox(site)).toEqual([]);
    expect(recipients(smtp)).toEqual(people('ana'));
  });

  test('a refused mail is not tried again, one that is put off is tried until it expires, and new mails go first', async () => {
    const env = await makeEnv();
    const [old = '', refused = '', late = '', fresh = ''] = people('a', 'b', 'c', 'd');
    const first = await startApp({ env });
    await register(first, old);
    await execute(first.config, 'UPDATE mail_outbox SET attempts = 38');
    await register(first, refused, late);
    // Waiting for SMTP_URL makes none of them expire.
    await execute(first.config, 'UPDATE registrations SET mail_due_at = 0');
    await first.close();

    const asked: string[] = [];
    const smtp = await startSmtpServer({
      recipient(_n, address) {
        asked.push(address);
        if (address === refused) return 550;
        return address === old || asked.indexOf(late) === asked.length - 1 ? 450 : 250;
      },
      data: (n) => (n === 0 ? 451 : 250),
    });
    const { dataDir } = first.config;
    const site = await startApp({ env: { ...env, SMTP_URL: smtp.url }, dataDir });
    await expect
      .poll(() => outbox(site))
      .toEqual([
        { attempts: 38, refused: 'expired' },
        { attempts: 0, refused: '550' },
      ]);
    expect(recipients(smtp)).toEqual([late, late]);
    expect(messageIds(smtp)).toHaveLength(1);
    await register(site, fresh);
    await expect.poll(() => recipients(smtp)).toEqual([late, late, fresh]);
    expect(asked.slice(0, 2)).toEqual([refused, late]);
    expect(asked.toSorted()).toEqual([old, refused, late, late, late, fresh]);
    expect(said(site).toSorted()).toEqual([
      ['A mail is put off', '450'],
      ['A mail was refused, and is not tried again', '550'],
      ['A mail was refused, and is not tried again', 'expired'],
    ]);
  });

  test('strangers cannot flood a mailbox, and a server sends only so many an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime('2026-03-01T10:30:00Z');
    const smtp = await startSmtpServer();
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url };
    const site = await startApp({ env, mailPace: { perHour: 6 } });
    const count = (start: RegExp) => recipients(smtp).filter((to) => start.test(to)).length;
    // When a family's mail has come, those that were due before it have come too.
    let families = 0;
    const registerFamily = async () => {
      families += 1;
      vi.setSystemTime(Date.now() + 1);
      await register(site, `family${families}@example.org`);
    };
    const untilSent = async () => {
      await registerFamily();
      await expect.poll(() => count(/^family/)).toBe(families);
    };
    const victim = ['victim', 'vic.tim', 'v.i.c.t.i.m', 'Victim+4', 'victim+1', 'v.ictim+3'];
    await register(site, ...people(...victim));
    await untilSent();
    expect(count(/^v/i)).toBe(3);
    // The bound of an hour has room for two more.
    for (const _ of [1, 2, 3]) await registerFamily();
    await expect.poll(() => count(/^family/)).toBe(3);
    vi.setSystemTime('2026-03-02');
    await untilSent();
    expect([smtp.received.length, count(/^v/i)]).toEqual([11, 6]);
  });

  test.runIf(name === 'PostgreSQL')('one of two servers sends, and then the other', async () => {
    const smtp = await startSmtpServer();
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url };
    const one = await startApp({ env });
    await register(one, ...people('first'));
    await expect.poll(() => outbox(one)).toEqual([]);
    // Now the other one sends.
    const two = await startApp({ env });
    const some = people('a', 'b', 'c', 'd');
    const others = people('e', 'f', 'g', 'h');
    await Promise.all([register(one, ...some), register(two, ...others)]);
    await expect.poll(() => outbox(one)).toEqual([]);
    expect(recipients(smtp).sort()).toEqual([...some, ...others, ...people('first')].sort());
    await one.close();
    await register(two, ...people('i'));
    await expect.poll(() => outbox(two)).toEqual([]);
    expect(smtp.received).toHaveLength(10);
  });
});
