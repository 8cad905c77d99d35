/** Clicks that a browser sends for the attribute `ping` of a link, where scripts are off. */
import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH, MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { PING, startClickSite } from '../../helpers/server/click-site.ts';
import { DATABASES } from '../../helpers/server/databases.ts';

describe.each(DATABASES)('a click on $name', ({ makeEnv }) => {
  test('by ping, from a link without script, has the data of its request and the campaign of its page', async () => {
    const site = await startClickSite({ env: await makeEnv() });
    const ping = (query: string, headers = {}) =>
      site.post('PING', { ...PING, ...headers }, LOG_CTA_PATH + query);
    const page =
      'https://a.example/?ref=clinic-7&gclid=1&utm_source=cure-sma&utm_term=a+b&fbclid=1';
    const query = '?event=lower_cta_click&id=x&ip=203.0.113.9&private=1';
    expect(await ping(query, { 'ping-from': page })).toMatchObject([200, {}]);
    const [line] = site.lines();
    expect(line).toMatchObject({
      event: 'lower_cta_click',
      referrer: 'clinic-7',
      via: 'ping',
      is_mobile: true,
      ip: null,
      remote_ip: '127.0.0.1',
      user_agent: PING['user-agent'],
      campaign: { utm_source: 'cure-sma' },
      timestamp: line?.received_at,
    });
    expect(JSON.stringify(line)).not.toMatch(/clid/);
    // The browser cuts nothing to the contract's lengths.
    const long = `?event=hero_cta_click&referrer=${'r'.repeat(500)}`;
    await ping(long, { 'user-agent': 'u'.repeat(3000) });
    expect(await site.rows('SELECT * FROM clicks ORDER BY event DESC')).toMatchObject([
      { event: 'lower_cta_click', via: 'ping', page_url: 'https://a.example/?ref=clinic-7' },
      { referrer: 'r'.repeat(MAX_REFERRER), user_agent: 'u'.repeat(MAX_USER_AGENT) },
    ]);
    await ping('?event=help_cta_click', { 'ping-from': 'https://a.example/help/?fbclid=1' });
    const without = { page_url: 'https://a.example/help/', referrer: null };
    expect(site.lines().at(-1)).toMatchObject(without);
    for (const { length, search } of [
      { length: MAX_PAGE_URL, search: '?ref=clinic-7' },
      { length: MAX_PAGE_URL + 1, search: '' },
    ]) {
      const path = `https://a.example/${'p'.repeat(length - 'https://a.example/?ref=clinic-7'.length)}`;
      await ping('?event=help_cta_click', { 'ping-from': `${path}?ref=clinic-7` });
      expect(site.lines().at(-1)).toMatchObject({ page_url: path + search, referrer: 'clinic-7' });
    }
    const fields = { event: expect.any(String) };
    for (const wrong of ['', '?event=x', '?event=hero_cta_click%00'])
      expect(await ping(wrong)).toMatchObject([400, { error: { fields } }]);
  });
});
