import { describe, expect, test } from 'vitest';
import { openReader } from '../../../../server/database/open-reader.ts';
import { readCounts } from '../../../../server/report/causes/read-counts.ts';
import { DATABASES } from '../../../helpers/server/databases.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

/** Half past eleven at night in New York. */
const LATE = Date.parse('2026-11-20T04:30:00Z');

describe.each(DATABASES)('the table of counts on $name', ({ makeEnv }) => {
  test('has people’s visits and clicks by day of the team, link, campaign, class, device, language and button', async () => {
    const { data, config } = await startApp({ env: await makeEnv(), jobs: [] });
    const values = {
      utm_campaign: 'news',
      screen_class: 'small',
      referring_class: 'social',
    } as const;
    const visit = { ...values, page: '/es/help/cost/' };
    const click = { ...values, page_url: 'https://site.example/es/' };
    await storeRows(
      data.db,
      [
        clickRow(LATE, click),
        clickRow(LATE, { ...click, via: 'ping' }),
        clickRow(LATE, { is_bot: true }),
        clickRow(LATE, { ...click, referring_class: 'own' }),
      ],
      [visitRow(LATE, visit), visitRow(LATE, visit), visitRow(LATE, { ...visit, is_first: false })],
    );
    const reader = await openReader(config.databaseUrls.map(String), config.files.database);
    const rows = await readCounts(reader, 'America/New_York', '2026-11-19');
    const nextDay = await readCounts(reader, 'UTC', '2026-11-19');
    await reader.close();
    const shared = {
      day: '2026-11-19',
      ref: 'none',
      campaign: 'news',
      device: 'small',
      language: 'es',
      class: 'social',
    };
    const counted = rows.filter(({ visits, clicks }) => visits + clicks > 0);
    expect(counted.sort((a, b) => b.clicks - a.clicks)).toEqual([
      { ...shared, cta: 'hero_cta_click', visits: 0, clicks: 2, rated: 1 },
      { ...shared, class: 'direct', cta: 'hero_cta_click', visits: 0, clicks: 1, rated: 1 },
      { ...shared, cta: '', visits: 2, clicks: 0, rated: 0 },
    ]);
    expect(nextDay, 'a day without rows is there').toMatchObject([
      { day: '2026-11-19', visits: 0, clicks: 0 },
    ]);
  });
});
