/** T0: the report that the growth team opens, in a browser: its links, on phones and on paper. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openDatabase } from '../../server/database/database.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { print } from '../helpers/browser/paper.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

test.use({ httpCredentials: { username: 'team', password: ADMIN_PASSWORD } });

const questionOf = (url: string) => new URL(url).searchParams;

/** Writes a figure into each cell of visits or clicks. @returns how many cells it does not fit */
const countTooNarrow = (page: Page, figure: string) =>
  page.locator('td:is(.visits, .clicks)').evaluateAll((cells, written) => {
    const doesNotFit = (cell: Element) => {
      const figure = document.createRange();
      const text = cell.firstChild as Text;
      text.data = written;
      figure.selectNodeContents(text);
      const isOnOneLine = figure.getClientRects().length === 1;
      const { left } = figure.getBoundingClientRect();
      return !isOnOneLine || left < cell.getBoundingClientRect().left;
    };
    return cells.filter(doesNotFit).length;
  }, figure);

test('shows a click at once; each link changes one thing', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await page.click('[data-cta=hero]');
  await loggedClicks(world, ref, 1);
  // All rows, because other tests of this worker have left more links than the table shows.
  await page.goto('/report?days=90&tz=Asia%2FKathmandu&all=1');
  await page.getByRole('link', { name: ref }).click();
  await expect(page.locator('dd.big').nth(2)).toHaveText('1');
  await page.getByRole('link', { name: 'Computer' }).click();
  await page.getByRole('link', { name: 'Campaign', exact: true }).click();
  const filtered = { days: '90', tz: 'Asia/Kathmandu', ref, device: 'large' };
  expect(Object.fromEntries(questionOf(page.url()))).toEqual({ ...filtered, by: 'campaign' });
  const device = page.getByRole('link', { name: 'Computer', exact: true });
  await expect(device).toHaveAttribute('aria-current', 'true');
  const others = await page
    .locator('a[href^="?"]')
    .evaluateAll((links) => (links as HTMLAnchorElement[]).map(({ href }) => href));
  const now = questionOf(page.url());
  for (const other of others.map(questionOf)) {
    const names = [...new Set([...now.keys(), ...other.keys()])];
    const changed = names.filter((name) => now.get(name) !== other.get(name));
    const things = new Set(changed.map((name) => name.replace(/^(days|from|to)$/, 'period')));
    expect(things.size, other.toString()).toBeLessThanOrEqual(1);
  }
  await page.getByRole('link', { name: 'Remove the filter Device: Computer' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByLabel('To').fill('2026-01-03');
  await page.getByRole('button', { name: 'Show' }).click();
  const { days: _, device: __, ...kept } = filtered;
  const chosen = { ...kept, by: 'campaign', from: '2026-01-01', to: '2026-01-03' };
  // A form sends its empty field too.
  expect(Object.fromEntries(questionOf(page.url()))).toEqual({ ...chosen, before: '' });
  await expect(page.getByText('Nothing matches this filter.')).toBeVisible();
});

test('a visit over three pages with a press on the third is 1 visit, 3 views and 1 click', async ({
  page,
  world,
  ref,
}) => {
  await page.goto(`/?ref=${ref}`);
  await page.locator('main a[href*="/help/privacy/"]').first().click();
  await page.waitForURL(/\/help\/privacy\//);
  await page.click('a[hreflang=es]');
  await page.waitForURL(/\/es\/help\/privacy\//);
  await page.click('[data-cta=help]');
  await loggedClicks(world, ref, 1);
  await capturedEvents(world, '$pageview', ref, 3);
  await page.goto(`/report?days=1&ref=${ref}&by=class`);
  const totals = await page.locator('dd.big').allTextContents();
  expect(totals.slice(0, 3)).toEqual(['1', '3', '1']);
  // The press has no kind of site of its own, and is in no rate of one.
  const kind = page.getByRole('row', { name: 'On a later page' });
  await expect(kind).toContainText('1');
  await expect(page.getByRole('row', { name: 'Typed, saved, or from an app' })).toContainText('1');
  expect(world.site.rows('SELECT referring_class FROM clicks WHERE referrer = ?', ref)).toEqual([
    { referring_class: 'own' },
  ]);
});

test('can be read at each width, in both colours, and on two sheets', async ({ page, world }) => {
  // Rows of the last 50 days, with as many buttons as a table may have.
  const buttons = ['hero_cta_click', 'lower_cta_click', 'help_cta_click', 'a_newer_cta_click'];
  const rows = Array.from({ length: 400 }, (_, i) => ({
    at: Date.now() - 3 * (i + 1) * 3_600_000,
    parts: { referrer: `clinic-${i % 21}`, screen_class: 'small' as const },
  }));
  const db = await openDatabase([], join(world.site.dataDir, 'site.db'));
  await storeRows(
    db,
    rows.map(({ at, parts }, i) => clickRow(at, { ...parts, event: `${buttons[i % 4]}` })),
    rows.map(({ at, parts }) => visitRow(at, parts)),
  );
  await db.close();
  for (const [width, colorScheme, path] of [
    [320, 'light', '/report?device=small&all=1'],
    [390, 'light', '/report?days=90'],
    [1280, 'light', '/report?from=2026-01-01&to=2026-01-01'],
    [768, 'dark', '/report?days=90&sort=rate'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    await page.locator('details').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    expect(await axeComplaints(page)).toEqual([]);
    await expect(page.locator('.ok svg')).toHaveCSS('width', '12px');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    // From 100,000 on a cell has thousands.
    expect(await countTooNarrow(page, '44,444')).toBe(0);
  }
  await page.reload();
  const { sheets, printed } = await print(page, { format: 'Letter' });
  expect(sheets).toBe(2);
  expect(printed).toContain('/report?');
});
