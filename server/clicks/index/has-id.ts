/** Asks the click index for one id, without changing it, next to a running server. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * @param file of the SQLite index
 * @param databaseUrl of a shared index; null: the file
 * @returns null if there is no index yet
 * @throws an Error that says what to do, if the database cannot be read
 */
export async function hasId(
  { file, databaseUrl }: { file: string; databaseUrl: URL | null },
  id: string,
): Promise<boolean | null> {
  if (databaseUrl) return hasPostgresId(databaseUrl, id);
  if (!existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
  try {
    return db.prepare("SELECT 1 FROM clicks WHERE id = unhex(?, '-')").get(id) !== undefined;
  } finally {
    db.close();
  }
}

async function hasPostgresId(url: URL, id: string): Promise<boolean> {
  const { connect, describe } = await import('../../database/connect-postgres.ts');
  const client = await connect(url);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM clicks WHERE id = $1', [id]);
    return rowCount === 1;
  } catch (cause) {
    throw describe(cause, url);
  } finally {
    await client.end();
  }
}
