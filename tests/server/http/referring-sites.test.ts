/** Each referrer has one kind and one site, whatever its subdomain, its country or its app. */
import { describe, expect, test } from 'vitest';
import { posthogReferringDomain, readReferrer } from '../../../server/http/referring-sites.ts';
import { SITES_OF_HOSTS, SITES_OF_NAMES } from '../../../server/http/site-list.ts';

const PAGE = 'https://site.example/?ref=clinic-7';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/23A341';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36';

const read = (
  host: string | undefined,
  { userAgent = FIREFOX, referrerDetail = 'domain' as 'class' | 'domain' | 'none' } = {},
) =>
  readReferrer({ referring_domain: host, page_url: PAGE }, userAgent, {
    referrerDetail,
    partnerHosts: ['portal.example'],
  });

/** Class and site, and the hosts that browsers give as their referrers. */
const REFERRERS = `
search     | Google        | www.google.com google.com google.de www.google.com.mx www.google.co.uk www.google.cat WWW.GOOGLE.ES images.google.fr lens.google.com news.google.com scholar.google.ca com.google.android.googlequicksearchbox
search     | Bing          | www.bing.com cn.bing.com www2.bing.com com.microsoft.bing
search     | Yahoo!        | search.yahoo.com r.search.yahoo.com es.search.yahoo.com search.yahoo.co.jp
search     | DuckDuckGo    | duckduckgo.com html.duckduckgo.com lite.duckduckgo.com
search     | Yandex        | yandex.com.tr yandex.ru ya.ru www.yandex.kz
search     | Naver         | search.naver.com m.search.naver.com
search     | Ecosia        | www.ecosia.org
search     | Brave         | search.brave.com
search     | StartPage     | www.startpage.com eu.startpage.com
search     | Qwant         | lite.qwant.com
search     | Ask           | www.ask.com uk.ask.com
search     | Kagi          | kagi.com
search     | Baidu         | www.baidu.com m.baidu.com
search     | Seznam        | search.seznam.cz
search     | AOL           | search.aol.com search.aol.co.uk
search     | Swisscows     | swisscows.com
search     | PubMed        | pubmed.ncbi.nlm.nih.gov
assistant  | ChatGPT       | chatgpt.com chat.openai.com com.openai.chatgpt
assistant  | Gemini        | gemini.google.com bard.google.com com.google.android.apps.bard
assistant  | Copilot       | copilot.microsoft.com m365.cloud.microsoft edgeservices.bing.com com.microsoft.copilot
assistant  | Claude        | claude.ai com.anthropic.claude
assistant  | Perplexity    | www.perplexity.ai perplexity.ai ai.perplexity.app.android
assistant  | Meta AI       | www.meta.ai
assistant  | DeepSeek      | chat.deepseek.com
assistant  | Grok          | grok.com
assistant  | Le Chat       | chat.mistral.ai
assistant  | NotebookLM    | notebooklm.google.com
assistant  | Duck.ai       | duck.ai
assistant  | OpenEvidence  | www.openevidence.com
assistant  | Lumo          | lumo.proton.me
assistant  | Venice        | venice.ai
assistant  | Character.AI  | character.ai
assistant  | Manus         | manus.im
social     | Facebook      | www.facebook.com m.facebook.com l.facebook.com lm.facebook.com mbasic.facebook.com web.facebook.com fb.me com.facebook.katana com.facebook.lite
social     | Messenger     | l.messenger.com www.messenger.com com.facebook.orca
social     | Instagram     | www.instagram.com l.instagram.com com.instagram.android
social     | Threads       | www.threads.com l.threads.net com.instagram.barcelona
social     | WhatsApp      | com.whatsapp com.whatsapp.w4b web.whatsapp.com wa.me l.wl.co
social     | X (Twitter)   | t.co x.com mobile.twitter.com com.twitter.android
social     | TikTok        | www.tiktok.com vm.tiktok.com com.zhiliaoapp.musically com.zhiliaoapp.musically.go
social     | YouTube       | www.youtube.com m.youtube.com youtu.be com.google.android.youtube
social     | Pinterest     | com.pinterest www.pinterest.co.uk pin.it www.pinterest.de es.pinterest.com www.pinterest.com.mx
social     | LinkedIn      | www.linkedin.com lnkd.in com.linkedin.android
social     | Reddit        | www.reddit.com old.reddit.com out.reddit.com com.reddit.frontpage
social     | Telegram      | web.telegram.org t.me org.telegram.messenger
social     | Discord       | discord.com com.discord ptb.discord.com
social     | Snapchat      | www.snapchat.com com.snapchat.android
social     | VK            | vk.com m.vk.com away.vk.com com.vkontakte.android
social     | Nextdoor      | nextdoor.com nextdoor.co.uk com.nextdoor
social     | Bluesky       | bsky.app go.bsky.app xyz.blueskyweb.app
social     | Slack         | com.Slack app.slack.com
social     | LINE          | liff.line.me jp.naver.line.android
social     | KakaoTalk     | com.kakao.talk pf.kakao.com
social     | WeChat        | mp.weixin.qq.com com.tencent.mm
social     | Tumblr        | t.umblr.com www.tumblr.com
social     | Mastodon      | mastodon.social mstdn.social org.joinmastodon.android
social     | Microsoft Teams | statics.teams.cdn.office.net com.microsoft.teams
social     | Google Messages | com.google.android.apps.messaging
social     | Samsung Messages | com.samsung.android.messaging
social     | Google Chat   | chat.google.com com.google.android.apps.dynamite
social     | Zalo          | chat.zalo.me com.zing.zalo
social     | Xiaohongshu   | www.xiaohongshu.com com.xingin.xhs
social     | Inspire       | www.inspire.com
mail       | Gmail         | mail.google.com com.google.android.gm
mail       | Outlook       | outlook.live.com outlook.office.com outlook.office365.com nam02.safelinks.protection.outlook.com com.microsoft.office.outlook
mail       | Yahoo Mail    | mail.yahoo.com us-mg6.mail.yahoo.com mail.yahoo.co.jp com.yahoo.mobile.client.android.mail
mail       | Proton Mail   | mail.proton.me ch.protonmail.android
mail       | iCloud Mail   | www.icloud.com
mail       | AOL Mail      | mail.aol.com
mail       | GMX           | www.gmx.net deref-gmx.net
mail       | Mailchimp     | us5.campaign-archive.com mailchi.mp
mail       | Proofpoint    | urldefense.com
mail       | Mail.ru       | mail.ru e.mail.ru
mail       | Samsung Email | com.samsung.android.email.provider
mail       | Thunderbird   | com.fsck.k9 net.thunderbird.android
mail       | clinic.org    | webmail.clinic.org
mail       | clinic.co.uk  | owa.clinic.co.uk
partner    | portal.example | portal.example my.portal.example www.portal.example:8443
own        | null          | site.example
direct     | null          |
other      | clinic.example | clinic.example www.clinic.example:8443
other      | clinic.nhs.uk | www.clinic.nhs.uk
other      | hospital.co.uk | neurology.hospital.co.uk
other      | family.blogspot.com | family.blogspot.com
other      | clinic-7.github.io | clinic-7.github.io
other      | docs.google.com | docs.google.com
other      | t-online.de   | www.t-online.de
other      | evil.example  | google.com.evil.example www.facebook.com.evil.example
other      | notfacebook.com | www.notfacebook.com
other      | google.evil   | google.evil
other      | com.example.reader | com.example.reader
other      | 192.168.1.1   | 192.168.1.1:8080
other      | xn--klinik-sd-v9a.de | www.xn--klinik-sd-v9a.de:8443
other      | [2001:db8::1] | [2001:db8::1] [2001:db8::1]:8080
other      | localhost     | localhost`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [kind, site, hosts = ''] = line.split('|').map((part) => part.trim());
    const expected = { referring_class: kind, referring_site: site === 'null' ? null : site };
    return hosts.split(/\s+/).map((host) => ({ host, expected, words: `${kind} ${site}` }));
  });

test('the table has 112 and more referrers', () => {
  expect(new Set(REFERRERS.map(({ host }) => host)).size).toBeGreaterThanOrEqual(112);
});

test.each(REFERRERS)('a visitor from "$host" is of $words', ({ host, expected }) => {
  expect(read(host)).toEqual(expected);
});

/** Marks as the apps' own browsers have them, without a referrer. */
const APPS = `
Facebook    | ${IPHONE} [FBAN/FBIOS;FBAV/540.0.0.30.70;FBBV/1]
Facebook    | [FBAN/FBIOS;FBDV/iPhone17,1;FBSV/26.0]
Facebook    | ${ANDROID} [FB_IAB/FB4A;FBAV/540.0.0.1.2;]
Messenger   | ${IPHONE} [FBAN/MessengerForiOS;FBAV/530.0]
Messenger   | ${ANDROID} [FB_IAB/Orca-Android;FBAV/530.0;]
Instagram   | ${IPHONE} Instagram 400.0.0.29.81 (iPhone17,1; iOS 26_0)
Threads     | ${IPHONE} Barcelona 390.0.0.31.75 (iPhone17,1; iOS 26_0)
TikTok      | ${ANDROID} trill_420003 JsSdk/1.0 BytedanceWebview/d8a21c6
TikTok      | ${IPHONE} musical_ly_42.0.0 JsSdk/2.0
Snapchat    | ${IPHONE} Snapchat/13.60.0.42 (like Safari/8622)
Pinterest   | ${IPHONE} [Pinterest/iOS]
Pinterest   | ${ANDROID} [Pinterest/Android]
LinkedIn    | ${IPHONE} [LinkedInApp]/9.31
X (Twitter) | ${IPHONE} Twitter for iPhone/11.20
X (Twitter) | ${ANDROID} TwitterAndroid
WhatsApp    | ${ANDROID} WhatsApp/2.26.40 A
LINE        | ${IPHONE} Safari Line/15.18.0
KakaoTalk   | ${ANDROID} KAKAOTALK 25.10.1
WeChat      | ${IPHONE} MicroMessenger/8.0.60
Reddit      | ${IPHONE} Reddit/2026.45
Zalo        | ${ANDROID} Zalo android/25110100 ZaloTheme/light
Xiaohongshu | ${IPHONE} xhsdiscover/9.10 rn/1.0
Douyin      | ${IPHONE} aweme_36.0.0 JsSdk/2.0
Google      | ${IPHONE} GSA/390.0 Safari/604.1
Naver       | ${IPHONE} NAVER(inapp; search; 2000; 12.10.1)
Daum        | ${ANDROID} DaumApps/8.0.1 DaumDevice/mobile
Baidu       | ${ANDROID} baiduboxapp/15.20.0 (Baidu; P1 16)
null        | ${IPHONE} Version/26.0 Safari/604.1
null        | ${ANDROID}
null        | ${FIREFOX} Airline/3.0
null        | `
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', userAgent = ''] = line.split('|').map((part) => part.trim());
    const isSearch = ['Google', 'Naver', 'Daum', 'Baidu'].includes(name);
    const kind = name === 'null' ? 'direct' : isSearch ? 'search' : 'social';
    return { userAgent, kind, site: name === 'null' ? null : name };
  });

test.each(APPS)('without a referrer, "$userAgent" is of $kind $site', ({ kind, ...app }) => {
  const { userAgent, site } = app;
  expect(read('', { userAgent })).toEqual({ referring_class: kind, referring_site: site });
  // What the browser says of the site before the page counts first.
  expect(read('www.bing.com', { userAgent }).referring_site).toBe('Bing');
  expect(read('site.example', { userAgent }).referring_class).toBe('own');
});

describe('referrerDetail', () => {
  test('"class" keeps the kind only, and "none" nothing, also of an app', () => {
    const userAgent = `${IPHONE} [FBAN/FBIOS;FBAV/540.0]`;
    for (const host of ['l.facebook.com', '']) {
      const expected = { referring_class: 'social', referring_site: null };
      expect(read(host, { userAgent, referrerDetail: 'class' })).toEqual(expected);
      const nothing = { referring_class: null, referring_site: null };
      expect(read(host, { userAgent, referrerDetail: 'none' })).toEqual(nothing);
    }
  });

  test.each([undefined, 'a b', 'a/b', '[::1', '[x]', 'x'.repeat(254)])(
    'without a host: %s',
    (host) => {
      expect(read(host)).toEqual({ referring_class: null, referring_site: null });
    },
  );
});

test.each([
  ['www.google.de', 'google.com'],
  ['com.google.android.gm', 'mail.google.com'],
  ['com.whatsapp', 'whatsapp.com'],
  ['m.facebook.com', 'facebook.com'],
  ['www.pinterest.co.uk', 'pinterest.com'],
  ['gemini.google.com', 'gemini.google.com'],
  ['yandex.com.tr', 'yandex.com'],
  ['www.clinic.example', 'clinic.example'],
  ['', '$direct'],
  ['site.example', '$direct'],
])('PostHog knows "%s" by the host %s', (host, domain) => {
  expect(posthogReferringDomain(read(host))).toBe(domain);
});

test('each site of the lists has one name and one kind, and a host by which PostHog can know it', () => {
  const wrong: string[] = [];
  for (const [key, site] of SITES_OF_HOSTS) {
    const host = key.replace(/^\*\./, 'sub.').replace(/\*$/, 'de');
    const { referring_class, referring_site } = read(host);
    if (referring_class !== site.referring_class || referring_site !== site.name)
      wrong.push(`${key} is ${referring_class} ${referring_site}, and not ${site.name}`);
  }
  for (const site of SITES_OF_NAMES.values())
    if (read(site.domain).referring_class !== site.referring_class)
      wrong.push(`${site.domain} is no ${site.name}`);
  expect(wrong).toEqual([]);
});
