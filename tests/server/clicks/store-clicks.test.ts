/** Clicks that two servers store in one PostgreSQL at the same moment. */
import { hostname } from 'node:os';
import { Client } from 'pg';
import { v7 } from 'uuid';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import type { NewClickRow } from '../../../server/clicks/click.ts';
import { dayOf } from '../../../server/time.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { clickRow } from '../../helpers/server/rows.ts';
import { type Site, startApp } from '../../helpers/server/server-app.ts';

const NOW = Date.now();

/** Three clicks whose ids ascend, on these buttons. */
const clicksOn = (events: string[]): NewClickRow[] => {
  const ids = events.map(() => v7()).sort();
  return events.map((event, i) => clickRow(NOW, { id: ids[i] as string, event }));
};

const SAME = clicksOn(['hero_cta_click', 'hero_cta_click', 'hero_cta_click']);
const BUTTONS = CTA_EVENTS.toSorted();

/** Each server has its rows in another order. The test holds the row in the middle of both. */
const CASES = [
  {
    name: 'the same ids',
    first: SAME,
    second: SAME.toReversed(),
    middle: `INSERT INTO clicks (id, event, received_at, via, is_bot, is_internal, is_automated,
        is_private, is_known)
      VALUES ('${SAME[1]?.id}', 'hero_cta_click', 1, 'fetch', false, false, false, false, true)`,
  },
  {
    name: 'counts of the same buttons',
    first: clicksOn(BUTTONS),
    second: clicksOn(BUTTONS.toReversed()),
    middle: `INSERT INTO click_counts (day, event, is_bot, server, n)
      VALUES ('${dayOf(NOW)}', '${BUTTONS[1]}', false, '${hostname()}', 1)`,
  },
];

/** Holds a row that it has not committed. @returns a function that takes it back */
async function hold({ config }: Site, insert: string): Promise<() => Promise<unknown>> {
  const client = new Client({ connectionString: String(config.databaseUrls[0]) });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query('SET search_path TO site');
  await client.query('BEGIN');
  await client.query(insert);
  return () => client.query('ROLLBACK');
}

const WAITING = `SELECT COUNT(*) AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe.each(DATABASES.filter(({ name }) => name === 'PostgreSQL'))('on $name', ({ makeEnv }) => {
  test.each(CASES)(
    'two servers with $name in different orders do not wait for each other for ever',
    async ({ first, second, middle }) => {
      const env = await makeEnv();
      const sites = [await startApp({ env }), await startApp({ env })] as const;
      const release = await hold(sites[0], middle);
      const record = ({ data }: Site, clicks: NewClickRow[]) =>
        Promise.all(clicks.map(data.recorder.record));
      const untilWaiting = (n: number) =>
        expect.poll(() => sites[0].rows(WAITING)).toEqual([{ n }]);
      const ofFirst = record(sites[0], first);
      await untilWaiting(1);
      const ofSecond = record(sites[1], second);
      await untilWaiting(2);
      await release();
      const outcomes = [...(await ofFirst), ...(await ofSecond)];
      const ids = new Set([...first, ...second].map(({ id }) => id));
      expect(outcomes.filter((outcome) => outcome === 'logged')).toHaveLength(ids.size);
      const [counted] = await sites[0].rows('SELECT SUM(n) AS n FROM click_counts');
      expect(counted).toEqual({ n: ids.size });
    },
  );
});
