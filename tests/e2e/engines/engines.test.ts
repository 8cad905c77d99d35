/**
 * The page in Firefox and WebKit: the real build behind the real server, driven from outside. The tests use Debian's
 * builds of these engines, which tests/helpers/run/ensure-needs.ts installs, because Playwright's are not available everywhere.
 */
import { after, before, describe, test } from 'node:test';
import type { Engine } from '../../helpers/engines/engine-page.ts';
import { startFirefox } from '../../helpers/engines/firefox.ts';
import { findFirefox } from '../../helpers/engines/firefox-find.ts';
import { startWebkit } from '../../helpers/engines/webkit.ts';
import { findWebkit } from '../../helpers/engines/webkit-find.ts';
import { type HoldingProxy, startHoldingProxy } from '../../helpers/fakes/holding-proxy.ts';
import { reportSkipped } from '../../helpers/run/report-skipped.ts';
import { type SiteProcess, startSite } from '../../helpers/server/site-process.ts';
import { buildSite, distOf } from '../build-sites.ts';
import { clicksArePrivate, SCENARIOS } from './scenarios.ts';

const firefox = findFirefox();
const webkit = findWebkit();
const ENGINES: Record<string, (() => Promise<Engine>) | null> = {
  Firefox: firefox ? () => startFirefox(firefox) : null,
  WebKit: webkit ? () => startWebkit(webkit) : null,
};

before(() => buildSite('plain'));

// In parallel, because each waits for its browser most of the time.
describe('the page', { concurrency: true }, () => {
  for (const [name, start] of Object.entries(ENGINES)) {
    if (!start) reportSkipped(`the page in ${name}`, `${name} is missing`);
    describe(name, { skip: !start, concurrency: false }, () => {
      let site: SiteProcess;
      let proxy: HoldingProxy;
      let engine: Engine | undefined;
      before(async () => {
        site = await startSite({ DIST_DIR: distOf('plain') });
        proxy = await startHoldingProxy(site.port);
        engine = await start?.();
      });
      after(async () => {
        await engine?.close();
        await proxy.close();
        await site.remove();
      });

      let visits = 0;
      for (const [title, play] of Object.entries(SCENARIOS)) {
        test(title, { timeout: 180_000 }, async () => {
          if (!engine) throw new Error(`${name} did not start`);
          const page = await engine.openPage();
          try {
            await play({ page, site, proxy, ref: `${name}-${visits++}` });
          } finally {
            proxy.release();
            await page.close();
          }
        });
      }
    });
  }
});

describe('Firefox with Global Privacy Control', { skip: !firefox }, () => {
  test('its fetch and its beacon are private', { timeout: 180_000 }, async () => {
    const site = await startSite({ DIST_DIR: distOf('plain') });
    const proxy = await startHoldingProxy(site.port);
    const engine = await startFirefox(firefox ?? '', GLOBAL_PRIVACY_CONTROL);
    try {
      const page = await engine.openPage();
      await clicksArePrivate({ page, site, proxy, ref: 'private' });
    } finally {
      await engine.close();
      await proxy.close();
      await site.remove();
    }
  });
});

const GLOBAL_PRIVACY_CONTROL = {
  'privacy.globalprivacycontrol.enabled': true,
  'privacy.globalprivacycontrol.functionality.enabled': true,
};
