/** Transactions for tests, in a module of their own, because SQLite's thread loads it. */
import { defineWork, type Session } from '../../../server/database/database.ts';

const insert = ({ insertNew }: Session, keys: string[]) =>
  insertNew(
    'visits',
    'id',
    keys.map((id) => ({ id, viewed_at: 1, page: '/', is_bot: false })),
  );

export const insertVisits = defineWork(import.meta.url, 'insertVisits', insert);

export const insertThenThrow = defineWork(
  import.meta.url,
  'insertThenThrow',
  async (session, key: string): Promise<void> => {
    await insert(session, [key]);
    throw new Error('as the test wants');
  },
);
