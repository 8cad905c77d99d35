import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../../server/time.ts';
import type { KnownFault } from '../../../../server/watch/watch-site.ts';
import type { Received } from '../../../helpers/fakes/open-smtp-server.ts';
import { expectSameContents, FOOTER, startMailing } from '../../../helpers/server/mailing.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

const PORTAL: KnownFault = {
  id: 'portal-status',
  kind: 'portal',
  text: 'the button leads to an error of the portal (502)',
  since: Date.parse('2026-11-19T14:05:00Z'),
  until: null,
  isForMail: true,
};

describe('a fault that the site’s own walk has found', () => {
  test('is mailed once, also after a restart, and once that it is over', async () => {
    const dataDir = makeDataDir();
    const site = await startMailing({}, dataDir);
    site.walk.faults = [PORTAL, { ...PORTAL, id: 'address', isForMail: false }];
    const [mail, ...more] = await site.mailsOf('2026-11-19T15:00:00Z');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`SMA Data Drive: Since 14:05 ${PORTAL.text}`);
    expect(mail?.text).toBe(`The site has a fault

Since 14:05 ${PORTAL.text}.

What to do
Open the button's link, and call the partner.

Where to look
The site
https://site.example

What is wrong now
https://site.example/healthz

docs/operations.md, “SiteWalkFails”, says what to do about each.
${FOOTER}`);
    expectSameContents(mail as Received);
    expect(await site.mailsOf('2026-11-19T16:00:00Z'), 'an hour later').toEqual([]);
    await site.close();

    const again = await startMailing({}, dataDir);
    expect(await again.mailsOf('2026-11-19T17:00:00Z'), 'before the first walk').toEqual([]);
    again.walk.faults = [PORTAL];
    expect(await again.mailsOf('2026-11-19T18:00:00Z'), 'after a restart').toEqual([]);
    again.walk.faults = [{ ...PORTAL, until: Date.parse('2026-11-19T18:30:00Z') }];
    const [over, ...others] = await again.mailsOf('2026-11-19T19:00:00Z');
    expect(over?.subject).toBe(`SMA Data Drive: Over: from 14:05 to 18:30 ${PORTAL.text}`);
    expect(others).toEqual([]);
    expect(await again.mailsOf('2026-11-19T20:00:00Z'), 'an hour later').toEqual([]);
    again.walk.faults = [{ ...PORTAL, since: Date.parse('2026-11-20T01:05:00Z') }];
    expect(await again.mailsOf('2026-11-20T02:00:00Z'), 'the next time').toHaveLength(1);
  });

  test('is one mail with others of its hour, and waits while the SMTP server refuses it', async () => {
    const site = await startMailing();
    const page = { ...PORTAL, id: 'page-away', kind: 'page' as const, text: 'a page is away' };
    site.walk.faults = [PORTAL, page];
    site.clock.refuses = true;
    expect(await site.mailsOf('2026-11-19T15:00:00Z')).toEqual([]);
    site.clock.refuses = false;
    const [mail, ...more] = await site.mailsOf('2026-11-19T16:00:00Z');
    expect(mail?.subject).toContain(`Since 14:05 ${PORTAL.text}, and 1 more`);
    expect(mail?.text).toContain('Since 14:05 a page is away.');
    expect(more).toEqual([]);
  });

  test('of another server has one mail, and its end too', async () => {
    const site = await startMailing();
    site.walk.faults = [PORTAL];
    expect(await site.mailsOf('2026-11-19T15:00:00Z')).toHaveLength(1);
    site.walk.faults = [{ ...PORTAL, since: PORTAL.since + 9 * MINUTE_MS }];
    expect(await site.mailsOf('2026-11-19T16:00:00Z'), 'met by both').toEqual([]);
    site.walk.faults = [];
    const [over] = await site.mailsOf('2026-11-19T17:00:00Z');
    expect(over?.subject).toContain('Over: from 14:05 to 17:00');
  });
});
