/** Reads all of a shared click index. Each query is a transaction of its own, so that no server waits for this reader. */
import { connect, describe } from '../../../database/connect-postgres.ts';
import { nameOf } from '../../../database/name-of.ts';
import { countKey, type IndexReader } from '../read-index.ts';

const PAGE = 5000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** @throws an Error that says what to do, if the database cannot be read */
export async function readPostgresIndex(url: URL): Promise<IndexReader> {
  const client = await connect(url);
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    try {
      return (await client.query(text, values)).rows as Row[];
    } catch (cause) {
      throw describe(cause, url);
    }
  };
  return {
    name: `PostgreSQL (${nameOf(url)})`,
    async missing(ids) {
      const rows = await query<{ id: string }>('SELECT id FROM clicks WHERE id = ANY($1::uuid[])', [
        ids,
      ]);
      const found = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !found.has(id.toLowerCase()));
    },
    async *ids() {
      for (let after = FIRST_ID; ; ) {
        const rows = await query<{ id: string }>(
          'SELECT id FROM clicks WHERE id > $1 ORDER BY id LIMIT $2',
          [after, PAGE],
        );
        yield rows.map(({ id }) => id);
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
      }
    },
    async counts() {
      const rows = await query<{ day: string; event: string; is_bot: boolean; n: string }>(
        'SELECT day, event, is_bot, sum(count) AS n FROM clicks_per_day GROUP BY day, event, is_bot',
      );
      return new Map(rows.map((row) => [countKey(row.day, row.event, row.is_bot), Number(row.n)]));
    },
    async forgottenBefore() {
      const rows = await query<{ before: string }>('SELECT before FROM clicks_forgotten');
      return rows[0]?.before ?? null;
    },
    async ledgers() {
      const rows = await query<{ ledger: string }>('SELECT ledger FROM ledger_positions');
      return rows.map(({ ledger }) => ledger);
    },
    close: () => client.end(),
  };
}
