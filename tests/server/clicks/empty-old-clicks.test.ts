/** Personal columns of clicks are emptied after `personalDataDays`; the rows stay. */
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { openReader } from '../../../server/database/open-reader.ts';
import { readFigures } from '../../../server/report/figures/read-figures.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../../server/time.ts';
import {
  agoMs,
  deletedMessages,
  runRetention,
  startForLong,
} from '../../helpers/server/retention-site.ts';
import { clickRow, storeRows } from '../../helpers/server/rows.ts';

test('what leads to a person goes too, if ten days without a click were before', async () => {
  const site = await startForLong({ site: { personalDataDays: 20 } });
  const ip = '203.0.113.7';
  const clicks = [40, 30, 1].map((days) => clickRow(agoMs(days), { ip }));
  await storeRows(site.data.db, clicks);
  await runRetention(site);
  const left = await site.rows('SELECT ip FROM clicks ORDER BY id');
  expect(left).toEqual([{ ip: null }, { ip: null }, { ip }]);
});

test('a click keeps its row when its addresses, browser and visit id go, and the day keeps its gaps', async () => {
  const site = await startForLong({ site: { personalDataDays: 20 } });
  const at = agoMs(22) - (agoMs(22) % DAY_MS) + HOUR_MS;
  const visit_id = v7({ msecs: at });
  const named = { visit_id, ip: '203.0.113.7', remote_ip: '203.0.113.7', referrer: 'clinic-7' };
  const [first, fourth] = [1, 4].map((seq) => clickRow(at + seq, { ...named, seq }));
  const young = clickRow(agoMs(19), named);
  await storeRows(site.data.db, [first, fourth, young] as never);
  const before = await site.rows('SELECT * FROM clicks ORDER BY id');
  await runRetention(site);
  const nobody = { visit_id: null, ip: null, remote_ip: null, user_agent: null };
  const [one, four, last] = before;
  expect(await site.rows('SELECT * FROM clicks ORDER BY id')).toEqual([
    { ...one, ...nobody },
    { ...four, ...nobody },
    last,
  ]);
  const gaps = 'SELECT day, lost FROM click_gaps';
  expect(await site.rows(gaps)).toEqual([{ day: dayOf(at), lost: 2 }]);
  await runRetention(site);
  expect(await site.rows(gaps)).toEqual([{ day: dayOf(at), lost: 2 }]);
  const reader = await openReader([], site.config.files.database);
  const period = { since: at - DAY_MS, until: Date.now() };
  const selection = { period, length: 1, timeZone: 'UTC', filters: {}, isShared: false };
  const question = { ...selection, now: Date.now() };
  expect((await readFigures(reader, question)).lost).toBe(2);
  await reader.close();
  expect(deletedMessages(site)).toEqual(['Deleted personal data of clicks older than 20 days: 2']);
});
