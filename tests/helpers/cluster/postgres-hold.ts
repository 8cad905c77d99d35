/** Stops another process in the middle of its transaction on PostgreSQL, for as long as a test wants. */
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

const LOCK = 1;

/** From now on, the update of this row waits for a lock that the test holds. */
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
    /** Whether a transaction has reached the row, and waits. */
    async isWaiting(): Promise<boolean> {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      return rowCount === 1;
    },
    /** Returns once the transaction that waited has ended, because only then the trigger can be dropped. */
    async release(): Promise<void> {
      await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
      await client.query(`DROP TRIGGER wait_for_the_test ON ${table}`);
    },
  };
}
