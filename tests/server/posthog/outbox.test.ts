/** Which refused events stay in the outbox, on both databases. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { settleBatch } from '../../../server/posthog/outbox.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { startApp } from '../../helpers/server/server-app.ts';

/** @param event NULL: a click @param refused NULL: the event waits */
const rowOf = (uuid: string, queuedAt: number, event = "'{}'", refused = "'drop'") =>
  `('${uuid}', ${event}, ${refused}, ${queuedAt}, ${queuedAt}, 0)`;

test.each(DATABASES)(
  'on $name the newest thousand of refused events stay, and every refused click',
  async ({ makeEnv }) => {
    const site = await startApp({ env: await makeEnv() });
    const [click, oldest, last] = [randomUUID(), randomUUID(), randomUUID()];
    const rows = [
      rowOf(click, 1, 'NULL'),
      rowOf(oldest, 2),
      ...Array.from({ length: 999 }, (_, i) => rowOf(randomUUID(), 3 + i)),
      rowOf(last, 2_000, "'{}'", 'NULL'),
    ];
    const columns = 'uuid, event, refused, queued_at, due_at, attempts';
    await execute(site.config, `INSERT INTO posthog_outbox (${columns}) VALUES ${rows}`);
    const settled = { removed: [], postponed: [], refused: [[last, 'drop']] as [string, string][] };
    await site.data.db.transaction(settleBatch, settled);
    const uuids = (await site.rows('SELECT uuid FROM posthog_outbox')).map(({ uuid }) => uuid);
    expect(uuids).toHaveLength(1_001);
    expect([click, oldest, last].map((uuid) => uuids.includes(uuid))).toEqual([true, false, true]);
  },
);
