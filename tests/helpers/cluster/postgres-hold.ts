/** Blocks another process in the middle of its PostgreSQL transaction until the test releases it. */
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

const LOCK = 1;

/** Makes updates of this row wait for a lock that the test holds. */
export async function holdUpdateOf(url: string, table: string, id: string) {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`
    SELECT pg_advisory_lock(${LOCK});
    CREATE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql SET lock_timeout TO 0 AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END $$;
    CREATE TRIGGER wait_for_the_test BEFORE UPDATE ON ${table}
      FOR EACH ROW WHEN (OLD.id = '${id}') EXECUTE FUNCTION wait_for_the_test()`);
  return {
    /** Whether a transaction waits at the row. */
    async isWaiting(): Promise<boolean> {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return rowCount === 1;
    },
    /** Resolves when the waiting transaction has ended, because the trigger cannot be dropped before. */
    async release(): Promise<void> {
      await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
      await client.query(`DROP TRIGGER wait_for_the_test ON ${table}`);
    },
  };
}
