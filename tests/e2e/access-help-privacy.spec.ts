import type { BrowserContext, Page } from '@playwright/test';
import { expect, loggedClicks, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn } from './routes.ts';

for (const language of EVERY_LANGUAGE) {
  test(`T18 before the visitor acts, the help pages (${language}) contact no third party and store nothing`, async ({
    context,
    world,
  }) => {
    const foreign: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(world.url)) foreign.push(request.url());
    });
    for (const page of await openAll(context, helpPagesIn(language))) {
      const stored = await page.evaluate(() => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
      ]);
      expect.soft(stored, page.url()).toEqual([]);
    }
    expect(foreign).toEqual([]);
    expect(await context.cookies()).toEqual([]);
  });

  test.describe('with Global Privacy Control', () => {
    test.use({ extraHTTPHeaders: { 'Sec-GPC': '1' } });

    test(`T18 the help pages (${language}) make no analytics call, and a click has no address`, async ({
      context,
      world,
    }) => {
      await context.addInitScript(() =>
        Object.defineProperty(navigator, 'globalPrivacyControl', {
          get: () => true,
          configurable: true,
        }),
      );
      const asked: string[] = [];
      context.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const ref = `help-private-${language}`;
      const paths = helpPagesIn(language).map((path) => `${path}?ref=${ref}`);
      const [hub] = await openAll(context, paths);
      await hub?.click('[data-cta=help]');
      const [line] = await loggedClicks(world, ref, 1);
      expect(line).toMatchObject({ event: 'help_cta_click', ip: null, remote_ip: null });
      expect(asked.filter((path) => path.startsWith('/k'))).toEqual([]);
    });
  });
}

/** Opens each page in a tab of its own, all at once, and waits until they make no more requests. */
const openAll = (context: BrowserContext, paths: string[]): Promise<Page[]> =>
  Promise.all(
    paths.map(async (path) => {
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'networkidle' });
      return page;
    }),
  );
