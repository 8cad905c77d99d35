/** The tools at the end of each help page: the opt-out, and ways to send the page. */
import type { Page } from '@playwright/test';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

const started = (page: Page) => page.waitForFunction(() => window.ctaCapture?.onClick);
const CTA = '[data-cta=help]';
/** Words that a message to another person must not have. */
const REVEALING = /sma|spinal|atroph|atrofia|AME|patient|paciente|clinic|leaflet/i;
const optOut = (page: Page) => page.locator('#opt-out');

for (const [path, words] of Object.entries({
  '/help/': {
    off: 'Turn off counting on this device',
    on: 'Turn counting on for this device',
    isOff: 'Counting is off on this device.',
    isOn: 'We count button presses and visits. With each press we keep your network (IP) address. You can turn that off.',
  },
  '/es/help/': {
    off: 'Desactivar el conteo en este dispositivo',
    on: 'Activar el conteo en este dispositivo',
    isOff: 'El conteo está desactivado en este dispositivo.',
    isOn: 'Contamos los clics en los botones y las visitas. Con cada clic guardamos su dirección de red (IP). Puede desactivar el conteo.',
  },
})) {
  test(`${path}: the opt-out says its state, and stops clicks and visits on every page`, async ({
    page,
    world,
  }) => {
    const ref = `switch${path.replaceAll('/', '-')}`;
    await page.goto(`${path}?ref=${ref}`);
    await started(page);
    await capturedEvents(world, '$pageview', ref, 1);
    const state = optOut(page).getByRole('status');
    await expect(state).toHaveText(words.isOn);
    await page.getByRole('button', { name: words.off }).click();
    await expect(state).toHaveText(words.isOff);
    await page.click(CTA);
    await page.goto(`/?ref=${ref}`);
    await started(page);
    await page.click('[data-cta=hero]');
    await page.goto(`${path}?ref=${ref}`);
    await started(page);
    await expect(state).toHaveText(words.isOff);
    await page.getByRole('button', { name: words.on }).click();
    await expect(state).toHaveText(words.isOn);
    await page.click(CTA);
    const [line] = await loggedClicks(world, ref, 1);
    expect(line?.event).toBe('help_cta_click');
    await capturedEvents(world, '$pageview', ref, 1);
    expect(await page.evaluate(() => localStorage.getItem('counting'))).toBeNull();
  });
}

test('where the browser blocks storage, the opt-out says so', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await page.goto('/help/');
  await started(page);
  await page.getByRole('button', { name: 'Turn off counting' }).click();
  await expect(optOut(page).getByRole('status')).toContainText(
    'Your browser did not keep this choice',
  );
});

test('a page is sent with its own address, without ref and campaign, and in neutral words', async ({
  page,
  context,
  world,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    const share = async (data: ShareData) => Object.assign(window, { shared: data });
    Object.defineProperty(navigator, 'share', { value: share });
  });
  for (const [path, share, copy, copied] of [
    ['/help/', 'Share this page', 'Copy the link', 'The link is copied.'],
    ['/es/help/', 'Compartir esta página', 'Copiar el enlace', 'El enlace está copiado.'],
  ] as const) {
    await page.goto(`${path}?ref=clinic-7&utm_source=leaflet`);
    await started(page);
    const url = new URL(path, world.url).href;
    await page.getByRole('button', { name: copy }).click();
    await expect(page.getByText(copied)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    await page.getByRole('button', { name: share }).click();
    const shared = await page.evaluate(() => (window as unknown as { shared: ShareData }).shared);
    expect(shared.url).toBe(url);
    expect(shared.title).not.toMatch(REVEALING);
    // The browser's dialog offers mail, too.
    await expect(page.locator('#send').getByRole('link')).toHaveCount(0);
  }
});
