/** What a click says of its visitor: marks of robots and privacy, IP addresses, referring site. */
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { keptOf, ONE_OF_EACH_KIND } from '../../helpers/fakes/referrers.ts';
import { BEACON, PING, startClickSite } from '../../helpers/server/click-site.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { makeBody } from '../../helpers/server/server-app.ts';

/** An IPv6 address whose /48 and /56 differ. */
const IPV6 = '2001:db8:1:ff00:3:4:5:6';
/** A text with characters that no database keeps, and the text that is kept. */
const [TEXT, PLAIN] = ['a\0\ud800é\u2028"\\😀', 'a\ufffdé\u2028"\\😀'];

describe.each(DATABASES)('a click on $name', ({ makeEnv }) => {
  const start = async (env: Record<string, string> = {}, site = {}) =>
    startClickSite({ env: { ...(await makeEnv()), ...env }, site });

  test.each([
    ['a robot', {}, { 'user-agent': 'Googlebot/2.1' }, { is_bot: true }, 'true'],
    ['Global Privacy Control', {}, { 'sec-gpc': '1' }, { private: true }, 'false'],
    ['Do Not Track', {}, { dnt: '1' }, { private: true }, 'false'],
    ['the team’s mark', { is_internal: true }, {}, { is_internal: true }, 'never'],
  ])('with %s has that mark, and PostHog does not get it', async (_, parts, headers, mark, bot) => {
    const site = await start();
    const body = makeBody({ id: v7(), ...parts });
    await site.post(body, headers);
    await site.post(body, headers);
    await site.post(makeBody(parts), headers, BEACON);
    const ping = `${LOG_CTA_PATH}?event=hero_cta_click`;
    if (bot !== 'never') await site.post('PING', { ...PING, ...headers }, ping);
    await site.post({ ip: body.ip }, headers);
    const { private: isPrivate = false, ...marks } = mark as Record<string, boolean>;
    const address = isPrivate ? { ip: null, remote_ip: null } : {};
    for (const line of site.lines()) expect(line).toMatchObject({ ...mark, ...address });
    for (const row of await site.clicks())
      expect(row).toMatchObject({ ...marks, ...address, is_private: isPrivate });
    expect(JSON.stringify(site.refused()).includes('203.0.113.7')).toBe(!isPrivate);
    expect(await site.counts()).toEqual(bot === 'never' ? {} : { [`hero_cta_click ${bot}`]: 3 });
    expect(await site.queue()).toEqual([]);
  });

  test('of an automated browser is logged, counted in public and sent to PostHog, with its mark', async () => {
    const site = await start();
    const id = v7();
    const answer = await site.post(makeBody({ id, is_automated: true, is_scripted: true }));
    expect(answer).toEqual([200, { status: 'logged', id }]);
    const marks = { is_automated: true, is_scripted: true };
    expect(site.lines()).toMatchObject([marks]);
    expect(await site.clicks()).toMatchObject([marks]);
    expect(await site.counts()).toEqual({ 'hero_cta_click false': 1 });
    expect(await site.queue()).toEqual([id]);
  });

  test.each([
    ['full', '198.51.100.77:4711', IPV6, '198.51.100.77'],
    ['full', '[2001:db8::7]:4711', IPV6, '2001:db8::7'],
    ['full', '_hidden', IPV6, null],
    ['truncated', '::ffff:198.51.100.77', '2001:db8:1::', '198.51.100.0'],
    ['truncated', 'fe80::1%eth0', '2001:db8:1::', 'fe80::'],
    ['none', '198.51.100.77', null, null],
  ])(
    'with logIp=%s from %s has the addresses %s and %s, and no NUL in its texts',
    async (logIp, from, ip, remote_ip) => {
      const site = await start({ TRUST_PROXY: '1' }, { logIp });
      const body = makeBody({ ip: IPV6, referrer: TEXT, user_agent: TEXT });
      // The proxy added the last one, perhaps with its port. The visitor wrote the one before it.
      await site.post(body, { 'x-forwarded-for': `6.6.6.6, ${from}` });
      await site.expectKept({ ip, remote_ip, referrer: PLAIN, user_agent: PLAIN });
    },
  );

  test.each(['class', 'domain', 'none'])(
    'with referrerDetail=%s keeps that of each kind of site',
    async (referrerDetail) => {
      const site = await start({}, { referrerDetail });
      for (const { host, userAgent = 'Firefox' } of ONE_OF_EACH_KIND)
        await site.post(makeBody({ id: v7(), referring_domain: host, user_agent: userAgent }));
      await site.expectKept(...ONE_OF_EACH_KIND.map((visitor) => keptOf(visitor, referrerDetail)));
    },
  );
});
