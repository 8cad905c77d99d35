/** The contract of every database for registrations. */
import { describe, expect, test } from 'vitest';
import { newId } from '../../../server/database/new-id.ts';
import type {
  RegistrationRow,
  RegistrationStore,
} from '../../../server/registrations/store/registration-store.ts';

/** Opens an empty database for a test. Each call of the returned function connects one more server. */
export type MakeStore = () => Promise<() => Promise<RegistrationStore>>;

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const emailHashOf = (name: string) => Buffer.alloc(32, name);

export function makeRow(name: string, parts: Partial<RegistrationRow> = {}): RegistrationRow {
  return {
    id: newId(),
    createdAt: NOW,
    emailHash: emailHashOf(name),
    keyId: 'k1',
    encrypted: Buffer.from([0, 255, ...Buffer.from(`encrypted ${name}`)]),
    ...parts,
  };
}

/** Makes one row per name, with ascending ids. */
function makeRows(names: string[], parts: (i: number) => Partial<RegistrationRow> = () => ({})) {
  const ids = names.map(() => newId()).sort();
  return names.map((name, i) => makeRow(name, { id: ids[i] ?? '', ...parts(i) }));
}

export function describeRegistrationStore(name: string, make: MakeStore): void {
  const open = async () => (await make())();

  describe(`${name} keeps registrations`, () => {
    test('unchanged, and lists them oldest first, page by page, for every server', async () => {
      const connect = await make();
      const store = await connect();
      const rows = makeRows(['a', 'b', 'c']);
      for (const row of rows) expect(await store.add(row, [])).toBe(true);
      const other = await connect();
      const first = await other.list(null, 2);
      expect(first.map(({ row }) => row)).toEqual(rows.slice(0, 2));
      const rest = await other.list(first[1]?.row.id ?? '', 2);
      expect(rest.map(({ row }) => row)).toEqual(rows.slice(2));
      expect(rest[0]?.mail).toEqual({ state: 'waiting', attempts: 0 });
    });

    test('once per address: the first stays, and no second mail is due', async () => {
      const store = await open();
      const first = makeRow('a');
      await store.add(first, []);
      expect(await store.add(makeRow('a'), [])).toBe(false);
      expect(await store.add(makeRow('new key', { keyId: 'k2' }), [emailHashOf('a')])).toBe(false);
      expect((await store.list(null, 10)).map(({ row }) => row)).toEqual([first]);
      expect(await store.claimMail('me', NOW, later(60))).not.toBeNull();
      expect(await store.claimMail('me', NOW, later(60))).toBeNull();
    });

    test('once per address, also when servers add it at the same moment', async () => {
      const connect = await make();
      const stores = [await connect(), await connect(), await connect()];
      const added = await Promise.all(stores.map((store) => store.add(makeRow('a'), [])));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await stores[0]?.list(null, 10)).toHaveLength(1);
    });

    test('and tells how many mails wait, since when, and how many were refused', async () => {
      const store = await open();
      expect(await store.mailBacklog()).toEqual({ waiting: 0, oldest: null, refused: 0 });
      for (const [i, one] of ['a', 'b', 'c'].entries()) {
        await store.add(makeRow(one, { createdAt: later(i) }), [], later(60 + i));
      }
      expect(await store.mailBacklog()).toEqual({ waiting: 3, oldest: NOW, refused: 0 });
      const mail = await store.claimMail('me', later(60), later(120));
      await store.mailRefused(mail?.row.id ?? '', 'me', '550');
      expect(await store.mailBacklog()).toEqual({ waiting: 2, oldest: later(1), refused: 1 });
    });

    test('and counts them up to a time', async () => {
      const store = await open();
      for (const [i, one] of ['a', 'b', 'c'].entries()) {
        await store.add(makeRow(one, { createdAt: later(i) }), []);
      }
      expect(await store.countBefore(NOW)).toBe(0);
      expect(await store.countBefore(later(2))).toBe(2);
    });

    test('and lists the keys that they are encrypted with', async () => {
      const store = await open();
      expect(await store.keyIds()).toEqual([]);
      const keys = ['k1', 'k2', 'k1'];
      for (const [i, keyId] of keys.entries()) await store.add(makeRow(`no ${i} `, { keyId }), []);
      expect((await store.keyIds()).sort()).toEqual(['k1', 'k2']);
    });

    test('until they are removed, with their mails', async () => {
      const store = await open();
      const rows = makeRows(['a', 'b']);
      for (const row of rows) await store.add(row, []);
      expect(await store.remove([emailHashOf('a'), emailHashOf('none')])).toEqual([rows[0]?.id]);
      expect(await store.remove([emailHashOf('a')])).toEqual([]);
      expect((await store.list(null, 10)).map(({ row }) => row.id)).toEqual([rows[1]?.id]);
      expect((await store.claimMail('me', NOW, later(60)))?.row.id).toBe(rows[1]?.id);
      expect(await store.claimMail('me', NOW, later(60))).toBeNull();
      expect(await store.add(makeRow('a'), [])).toBe(true);
    });

    test('until they are too old', async () => {
      const store = await open();
      const rows = makeRows(['a', 'b'], (i) => ({ createdAt: later(i) }));
      for (const row of rows) await store.add(row, []);
      expect(await store.removeBefore(later(1))).toEqual([rows[0]?.id]);
      expect((await store.list(null, 10)).map(({ row }) => row.id)).toEqual([rows[1]?.id]);
    });
  });

  describe(`${name} encrypts again`, () => {
    const renew = (row: RegistrationRow): RegistrationRow | null =>
      row.keyId === 'k2'
        ? null
        : {
            ...row,
            emailHash: Buffer.from(row.emailHash).reverse(),
            keyId: 'k2',
            encrypted: row.emailHash,
          };

    test('every row that the callback converts', async () => {
      const store = await open();
      const rows = makeRows(Array.from({ length: 1203 }, (_, i) => `no ${i} `));
      for (const row of rows) await store.add(row, []);
      expect(await store.convertAll(renew)).toBe(1203);
      expect(await store.convertAll(renew)).toBe(0);
      const page = await store.list(rows[1200]?.id ?? '', 10);
      expect(page.map(({ row }) => row)).toEqual(rows.slice(1201).map(renew));
      expect(await store.remove([renew(makeRow('no 7 '))?.emailHash ?? Buffer.alloc(0)])).toEqual([
        rows[7]?.id,
      ]);
    });

    test('all or nothing', async () => {
      const store = await open();
      const rows = makeRows(['a', 'b']);
      for (const row of rows) await store.add(row, []);
      const failing = (row: RegistrationRow) => {
        if (row.id === rows[1]?.id) throw new Error('no key');
        return renew(row);
      };
      await expect(store.convertAll(failing)).rejects.toThrow('no key');
      expect((await store.list(null, 10)).map(({ row }) => row)).toEqual(rows);
    });

    test.each([
      ['the old key came first', ['k1', 'k2']],
      ['the new key came first', ['k2', 'k1']],
    ])('and keeps the older of two rows for one address: %s', async (_which, keys) => {
      const store = await open();
      const turned = renew(makeRow('a'))?.emailHash ?? Buffer.alloc(0);
      const rows = makeRows(['a', 'a'], (i) => ({
        keyId: keys[i] ?? '',
        emailHash: keys[i] === 'k2' ? turned : emailHashOf('a'),
      }));
      for (const row of rows) await store.add(row, []);
      await store.convertAll(renew);
      const kept = (await store.list(null, 10)).map(({ row }) => row);
      expect(kept.map(({ id, keyId, emailHash }) => ({ id, keyId, emailHash }))).toEqual([
        { id: rows[0]?.id, keyId: 'k2', emailHash: turned },
      ]);
    });
  });

  describe(`${name} has an outbox`, () => {
    test('whose mails are due when their registration says so', async () => {
      const store = await open();
      const [slow, quick] = makeRows(['slow', 'quick']) as [RegistrationRow, RegistrationRow];
      await store.add(slow, [], later(30));
      await store.add(quick, [], later(10));
      expect(await store.claimMail('me', later(9), later(60))).toBeNull();
      const next = async () => (await store.claimMail('me', later(30), later(60)))?.row.id;
      expect([await next(), await next()]).toEqual([quick.id, slow.id]);
    });

    test('whose untried mails do not wait for those that failed before', async () => {
      const store = await open();
      const failing = makeRow('failing');
      await store.add(failing, []);
      await store.claimMail('me', NOW, later(60));
      await store.mailDelayed(failing.id, 'me', later(1));
      const fresh = makeRow('fresh', { createdAt: later(5) });
      await store.add(fresh, []);
      const next = async () => (await store.claimMail('me', later(9), later(60)))?.row.id;
      expect([await next(), await next()]).toEqual([fresh.id, failing.id]);
    });

    test('that reports whether a mail waits', async () => {
      const store = await open();
      expect(await store.hasWaitingMails()).toBe(false);
      const row = makeRow('a');
      await store.add(row, [], later(3600));
      expect(await store.hasWaitingMails()).toBe(true);
      await store.claimMail('me', later(3600), later(7200));
      await store.mailRefused(row.id, 'me', '550');
      expect(await store.hasWaitingMails()).toBe(false);
    });

    test('whose mails are claimed by one server at a time, until the claim expires', async () => {
      const connect = await make();
      const [one, two] = [await connect(), await connect()];
      const row = makeRow('a');
      await one.add(row, []);
      expect(await one.claimMail('one', NOW, later(60))).toEqual({ row, attempt: 1 });
      expect(await two.claimMail('two', later(59), later(120))).toBeNull();
      expect((await two.claimMail('two', later(60), later(120)))?.attempt).toBe(2);
      await one.mailDelayed(row.id, 'one', later(61));
      await one.mailRefused(row.id, 'one', '550');
      expect(await one.claimMail('one', later(119), later(200))).toBeNull();
    });

    test('that several servers empty together, each mail once', async () => {
      const connect = await make();
      const names = Array.from({ length: 30 }, (_, i) => `no ${i} `);
      const servers = await Promise.all(['x', 'y', 'z'].map(connect));
      for (const one of names) await servers[0]?.add(makeRow(one), []);
      const taken = await Promise.all(
        servers.map(async (store, i) => {
          const ids: string[] = [];
          for (;;) {
            const mail = await store.claimMail(`server ${i}`, NOW, later(60));
            if (!mail) return ids;
            ids.push(mail.row.id);
          }
        }),
      );
      expect(taken.flat()).toHaveLength(names.length);
      expect(new Set(taken.flat()).size).toBe(names.length);
    });

    test('from which a starting server takes waiting mails and its own claims', async () => {
      const connect = await make();
      const [one, two] = [await connect(), await connect()];
      const rows = makeRows(['mine', 'theirs', 'delayed', 'refused'], (i) => ({
        createdAt: later(i),
      }));
      for (const row of rows) await one.add(row, []);
      for (const owner of ['one', 'two', 'one', 'one']) {
        await one.claimMail(owner, later(4), later(600));
      }
      await one.mailDelayed(rows[2]?.id ?? '', 'one', later(300));
      await one.mailRefused(rows[3]?.id ?? '', 'one', '550');
      await two.releaseMails('one', later(5));
      const taken = await Promise.all(
        [1, 2, 3].map(() => two.claimMail('one', later(5), later(9))),
      );
      expect(taken.map((mail) => mail?.row.id).sort()).toEqual(
        [rows[0]?.id, rows[2]?.id, undefined].sort(),
      );
    });

    test('that reports the state of each mail', async () => {
      const store = await open();
      const rows = makeRows(['sent', 'delayed', 'refused'], (i) => ({ createdAt: later(i) }));
      for (const row of rows) await store.add(row, []);
      const [sent, delayed, refused] = rows.map(({ id }) => id);
      for (const id of [sent, delayed, refused]) {
        const mail = await store.claimMail('me', later(5), later(60));
        expect(mail?.row.id).toBe(id);
      }
      await store.mailSent(sent ?? '');
      await store.mailDelayed(delayed ?? '', 'me', later(90));
      await store.mailRefused(refused ?? '', 'me', '550');
      expect((await store.list(null, 10)).map(({ mail }) => mail)).toEqual([
        { state: 'sent' },
        { state: 'waiting', attempts: 1 },
        { state: 'refused', reason: '550' },
      ]);
      expect(await store.claimMail('me', later(89), later(600))).toBeNull();
      expect((await store.claimMail('me', later(90), later(600)))?.row.id).toBe(delayed);
      expect(await store.claimMail('me', later(9999), later(99999))).toMatchObject({ attempt: 3 });
    });
  });
}
