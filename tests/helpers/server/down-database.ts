/** An app whose PostgreSQL does not answer. */
import { postgresEnv } from './databases.ts';
import { freePort } from './local-server.ts';
import { startApp } from './server-app.ts';

export async function startDown(env: Record<string, string> = {}) {
  const url = `postgres://site@127.0.0.1:${await freePort()}/site`;
  return startApp({ env: { ...postgresEnv(url), ...env } });
}
