/** T0: the report that the growth team opens, in a browser: its links, its forms, on phones and on paper. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openDatabase } from '../../server/database/database.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { print } from '../helpers/browser/paper.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { expect, loggedClicks, test, type World } from './fixtures.ts';

test.use({
  serverEnv: { LOG_LEVEL: 'error', ADMIN_PASSWORD },
  httpCredentials: { username: 'team', password: ADMIN_PASSWORD },
});

const HOUR_MS = 60 * 60 * 1000;
const REFS = [null, ...Array.from({ length: 20 }, (_, i) => `clinic-${i + 1}`)];

/** Stores rows of the last 50 days, once for each server. */
async function storeDays({ site }: World): Promise<void> {
  if (site.rows("SELECT 1 FROM visits WHERE referrer = 'clinic-1'").length > 0) return;
  const db = await openDatabase([], join(site.dataDir, 'site.db'));
  const at = (i: number) => Date.now() - (i + 1) * HOUR_MS;
  const parts = (i: number) => ({
    referrer: REFS[i % REFS.length] ?? null,
    screen_class: 'small' as const,
  });
  await storeRows(
    db,
    Array.from({ length: 1200 }, (_, i) => clickRow(at(i), parts(i))),
    Array.from({ length: 1200 }, (_, i) => visitRow(at(i), parts(i))),
  );
  await db.close();
}

const questionOf = (url: string) => new URL(url).searchParams;

test('shows a click at once', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await page.click('[data-cta=hero]');
  await loggedClicks(world, ref, 1);
  await page.goto('/report?days=7');
  await page.getByRole('link', { name: ref }).click();
  await expect(page).toHaveURL(new RegExp(`ref=${ref}`));
  await expect(page.locator('dd.big').nth(1)).toHaveText('1');
});

test('each link changes one thing of the question and keeps the others', async ({
  page,
  world,
}) => {
  await storeDays(world);
  await page.goto('/report?days=90&tz=Asia%2FKathmandu');
  await page.getByRole('link', { name: 'clinic-2', exact: true }).click();
  await page.getByRole('link', { name: 'Phone' }).click();
  await page.getByRole('link', { name: 'Campaign' }).click();
  const filtered = { days: '90', tz: 'Asia/Kathmandu', ref: 'clinic-2', device: 'small' };
  expect(Object.fromEntries(questionOf(page.url()))).toEqual({ ...filtered, by: 'campaign' });
  const phone = page.getByRole('link', { name: 'Phone', exact: true });
  await expect(phone).toHaveAttribute('aria-current', 'true');
  for (const link of await page.locator('a[href^="?"]').all()) {
    const other = questionOf(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    const now = questionOf(page.url());
    const names = new Set([...now.keys(), ...other.keys()]);
    const changed = [...names].filter((name) => now.get(name) !== other.get(name));
    const things = new Set(changed.map((name) => name.replace(/^(days|from|to)$/, 'period')));
    expect(things.size, await link.innerText()).toBeLessThanOrEqual(1);
  }
  await page.getByRole('link', { name: 'Remove the filter Device: Phone' }).click();
  await page.getByLabel('From').fill('2026-01-01');
  await page.getByLabel('To').fill('2026-01-03');
  await page.getByRole('button', { name: 'Show' }).click();
  const { days: _, device: __, ...kept } = filtered;
  const chosen = { ...kept, by: 'campaign', from: '2026-01-01', to: '2026-01-03' };
  expect(Object.fromEntries(questionOf(page.url()))).toEqual(chosen);
  await expect(page.getByText('Nothing matches this filter.')).toBeVisible();
});

test.describe('with a fault in a form', () => {
  test.use({ expectedComplaints: /400 \(Bad Request\)/ });

  test('says so at its field; a corrected one keeps the period', async ({ page }) => {
    await page.goto('/report?days=7');
    const form = page.locator('form', { hasText: 'Make link' });
    await form.getByLabel('Name').fill('Bay Clinic');
    await form.getByLabel('Code').fill('bay clinic');
    await form.getByRole('button').click();
    await expect(form.getByLabel('Code')).toHaveAccessibleDescription(/^It must be/);
    await expect(page).toHaveTitle(/^Error: /);
    await expect(form.getByLabel('Name')).toHaveValue('Bay Clinic');
    await form.getByLabel('Code').fill('bay');
    await form.getByRole('button').click();
    await expect(page.getByText('Last made: bay.')).toBeInViewport();
    await expect(page).toHaveURL(/days=7#h-link$/);
  });
});

test('can be read at each width, in both colours, and on two sheets', async ({ page, world }) => {
  await storeDays(world);
  for (const [width, colorScheme, path] of [
    [320, 'light', '/report'],
    [768, 'dark', '/report?device=small&all=1'],
    [1280, 'light', '/report?from=2026-01-01&to=2026-01-01'],
    [390, 'dark', '/report?days=90&sort=rate'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    await openAll(page);
    expect(await axeComplaints(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  for (const format of ['A4', 'Letter'] as const) {
    const { sheets, printed } = await print(page, { format });
    expect(sheets).toBe(2);
    expect(printed).toContain('/report?');
  }
});

const openAll = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const details of all) details.setAttribute('open', '');
  });
