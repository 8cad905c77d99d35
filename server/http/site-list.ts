/**
 * Lists of known referring sites by class: first this file's own rows, then those of a public list.
 * The public list is Matomo's (github.com/matomo-org/searchengine-and-social-list, CC0 1.0, commit
 * 3b3a82d of July 2026). build/write-site-list.ts writes it to public-sites.json: never edit that
 * file, add a row here.
 */
import publicSites from './public-sites.json' with { type: 'json' };

/** Classes of sites for which there is a list. */
type ListedClass = 'search' | 'assistant' | 'social' | 'mail';

export interface KnownSite {
  referring_class: ListedClass;
  name: string;
  /** The site's host on the web, under which PostHog knows it. */
  domain: string;
}

/**
 * The name of each site, and its hosts, separated by spaces. The first host is the site's host on
 * the web. `*.bing.com` matches the host and its subdomains, `kagi.com` only the host. `google.*`
 * matches every country's suffix. `www.` and `m.` are removed before the comparison. An Android app
 * has its id as host. It needs an entry only if the reversed id is not a host of the site, as
 * `com.pinterest` is.
 */
type Sites = Record<string, string>;

const SEARCH: Sites = {
  Google:
    'google.com google.* *.images.google.* news.google.* scholar.google.* books.google.* lens.google.com maps.google.* cse.google.* syndicatedsearch.goog com.google.android.googlequicksearchbox com.google.android.apps.searchlite com.google.android.apps.maps',
  Bing: '*.bing.com com.microsoft.bing',
  'Yahoo!': '*.search.yahoo.com *.search.yahoo.co.jp com.yahoo.mobile.client.android.search',
  DuckDuckGo: '*.duckduckgo.com',
  Ecosia: '*.ecosia.org com.ecosia.android',
  Brave: 'search.brave.com',
  StartPage: '*.startpage.com',
  Qwant: '*.qwant.com',
  Kagi: '*.kagi.com',
  Yandex: 'yandex.com yandex.* ya.ru *.images.yandex.* ru.yandex.searchplugin',
  Baidu: '*.baidu.com',
  Naver: '*.search.naver.com naver.com com.nhn.android.search',
  Seznam: 'seznam.cz *.search.seznam.cz cz.seznam.sbrowser',
  AOL: '*.search.aol.com search.aol.* aol.com',
  Mojeek: '*.mojeek.com',
  PubMed: 'pubmed.ncbi.nlm.nih.gov',
};

const ASSISTANTS: Sites = {
  ChatGPT: '*.chatgpt.com *.chat.openai.com com.openai.chatgpt',
  Claude: '*.claude.ai com.anthropic.claude',
  Perplexity: '*.perplexity.ai',
  Gemini: 'gemini.google.com *.bard.google.com com.google.android.apps.bard',
  Copilot:
    '*.copilot.microsoft.com *.copilot.cloud.microsoft *.m365.cloud.microsoft edgeservices.bing.com com.microsoft.copilot',
  'Meta AI': '*.meta.ai com.facebook.stella',
  DeepSeek: '*.chat.deepseek.com com.deepseek.chat',
  Grok: '*.grok.com *.grok.x.com ai.x.grok',
  'Le Chat': '*.chat.mistral.ai',
  Poe: '*.poe.com',
  Qwen: '*.chat.qwen.ai *.qwen.ai',
  Kimi: '*.kimi.com *.kimi.moonshot.cn',
  Doubao: '*.doubao.com',
  Pi: '*.pi.ai',
  Genspark: '*.genspark.ai',
  Felo: '*.felo.ai',
  Phind: '*.phind.com',
  OpenEvidence: '*.openevidence.com',
  Lumo: 'lumo.proton.me me.proton.android.lumo',
  Venice: '*.venice.ai',
  'Character.AI': '*.character.ai',
  Manus: '*.manus.im',
};

const SOCIAL: Sites = {
  Facebook: '*.facebook.com *.fb.com *.fb.me *.fb.watch',
  Messenger: '*.messenger.com m.me com.facebook.orca com.facebook.mlite',
  Instagram: '*.instagram.com *.instagr.am *.ig.me',
  Threads: '*.threads.com *.threads.net com.instagram.barcelona',
  WhatsApp: '*.whatsapp.com *.whatsapp.net *.wa.me *.wl.co',
  'X (Twitter)': '*.x.com *.twitter.com *.t.co',
  TikTok:
    '*.tiktok.com com.zhiliaoapp.musically com.zhiliaoapp.musically.go com.ss.android.ugc.trill',
  YouTube: '*.youtube.com *.youtu.be *.youtube-nocookie.com com.google.android.youtube',
  Pinterest: '*.pinterest.com *.pinterest.* *.pin.it',
  LinkedIn: '*.linkedin.com *.lnkd.in',
  Reddit: '*.reddit.com *.redd.it',
  Snapchat: '*.snapchat.com',
  Telegram: '*.telegram.org *.t.me *.telegram.me org.thunderdog.challegram',
  Discord: '*.discord.com *.discord.gg *.discordapp.com',
  Tumblr: '*.tumblr.com *.t.umblr.com',
  Quora: '*.quora.com',
  Nextdoor: '*.nextdoor.com *.nextdoor.*',
  Bluesky: '*.bsky.app xyz.blueskyweb.app',
  VK: '*.vk.com *.vk.ru *.vkontakte.ru com.vkontakte.android',
  Odnoklassniki: '*.ok.ru *.odnoklassniki.ru',
  LINE: '*.line.me jp.naver.line.android',
  KakaoTalk: '*.kakao.com',
  WeChat: '*.wechat.com *.weixin.qq.com com.tencent.mm',
  Weibo: '*.weibo.com *.weibo.cn *.t.cn com.sina.weibo',
  Viber: '*.viber.com',
  'Google Messages': 'messages.google.com com.google.android.apps.messaging',
  'Samsung Messages': 'com.samsung.android.messaging',
  'Google Chat': 'chat.google.com com.google.android.apps.dynamite',
  Zalo: '*.zalo.me com.zing.zalo',
  Xiaohongshu: '*.xiaohongshu.com *.xhslink.com com.xingin.xhs',
  Signal: '*.signal.org *.signal.me org.thoughtcrime.securesms',
  Slack: '*.slack.com',
  'Microsoft Teams':
    '*.teams.microsoft.com *.teams.live.com *.teams.cloud.microsoft *.teams.cdn.office.net',
  Twitch: '*.twitch.tv',
  'Truth Social': '*.truthsocial.com',
  // From here on: communities of patients.
  Inspire: '*.inspire.com',
  PatientsLikeMe: '*.patientslikeme.com',
  RareConnect: '*.rareconnect.org',
};

/** Web mail, mail apps, and services that send newsletters or check the links in mails. */
const MAIL: Sites = {
  Gmail:
    'mail.google.com *.mail.google.com inbox.google.com com.google.android.gm com.google.android.gm.lite',
  Outlook:
    'outlook.live.com *.outlook.live.com *.outlook.com *.outlook.office.com *.outlook.office365.com *.outlook.cloud.microsoft *.mail.live.com *.login.live.com hotmail.com com.microsoft.office.outlook',
  'Yahoo Mail':
    '*.mail.yahoo.com *.mail.yahoo.* currently.att.yahoo.com com.yahoo.mobile.client.android.mail',
  'Proton Mail': '*.mail.proton.me *.protonmail.com *.protonmail.ch',
  'iCloud Mail': 'icloud.com',
  'AOL Mail': '*.mail.aol.com com.aol.mobile.aolapp',
  'Zoho Mail': '*.mail.zoho.com *.mail.zoho.*',
  Fastmail: '*.fastmail.com',
  GMX: '*.gmx.net *.gmx.com *.gmx.* *.deref-gmx.net',
  'WEB.DE': '*.web.de *.deref-web.de',
  'mail.com': '*.mail.com *.deref-mail.com',
  'Mail.ru': 'mail.ru *.e.mail.ru *.touch.mail.ru',
  'Yandex Mail': '*.mail.yandex.com *.mail.yandex.*',
  'QQ Mail': '*.mail.qq.com',
  'Naver Mail': '*.mail.naver.com',
  'Daum Mail': '*.mail.daum.net',
  'Xfinity Mail': '*.connect.xfinity.com *.mail.comcast.net',
  'Cox Mail': 'myemail.cox.net *.mail.cox.net',
  'Tuta Mail': '*.app.tuta.com *.mail.tutanota.com',
  HEY: '*.app.hey.com',
  'Samsung Email': 'com.samsung.android.email.provider',
  Thunderbird: '*.thunderbird.net net.thunderbird.android com.fsck.k9',
  Mailchimp: '*.mailchimp.com *.mailchi.mp *.campaign-archive.com *.list-manage.com',
  'Constant Contact': '*.constantcontact.com *.conta.cc',
  Proofpoint: '*.urldefense.com *.urldefense.proofpoint.com',
  Mimecast: '*.mimecast.com *.mimecastprotect.com',
  Barracuda: '*.linkprotect.cudasvc.com',
};

/**
 * Texts in the user agents of apps that open links in a browser of their own, and the app's site.
 * The first match counts.
 */
export const IN_APP_BROWSERS = [
  ['FBAN/Messenger', 'Messenger'],
  ['FB_IAB/Orca', 'Messenger'],
  ['FB_IAB/MESSENGER', 'Messenger'],
  [' Instagram ', 'Instagram'],
  [' Barcelona ', 'Threads'],
  ['FBAN/', 'Facebook'],
  ['FBAV/', 'Facebook'],
  ['FB_IAB/', 'Facebook'],
  ['musical_ly', 'TikTok'],
  ['BytedanceWebview', 'TikTok'],
  ['trill_', 'TikTok'],
  ['TikTok', 'TikTok'],
  ['Snapchat', 'Snapchat'],
  ['Pinterest', 'Pinterest'],
  ['LinkedInApp', 'LinkedIn'],
  ['Twitter for', 'X (Twitter)'],
  ['TwitterAndroid', 'X (Twitter)'],
  ['WhatsApp/', 'WhatsApp'],
  ['Telegram', 'Telegram'],
  [' Line/', 'LINE'],
  ['KAKAOTALK', 'KakaoTalk'],
  ['MicroMessenger', 'WeChat'],
  ['Weibo (', 'Weibo'],
  ['__weibo__', 'Weibo'],
  ['Reddit/', 'Reddit'],
  ['Discord/', 'Discord'],
  ['Viber', 'Viber'],
  ['VKAndroidApp', 'VK'],
  ['VKClient', 'VK'],
  ['Nextdoor', 'Nextdoor'],
  ['Zalo', 'Zalo'],
  ['xhsdiscover', 'Xiaohongshu'],
  ['aweme_', 'Douyin'],
  ['NAVER(', 'Naver'],
  ['DaumApps', 'Daum'],
  ['baiduboxapp', 'Baidu'],
  ['GSA/', 'Google'],
] as const;

/** Known sites by their hosts, in the notation of `Sites`. */
export const SITES_OF_HOSTS = new Map<string, KnownSite>();
/** Known sites by their names. */
export const SITES_OF_NAMES = new Map<string, KnownSite>();

/**
 * Adds a list. A host that an earlier list has keeps its site, and the other hosts of the row are
 * added to that site.
 */
function addSites(referring_class: ListedClass, sites: Sites): void {
  for (const [name, row] of Object.entries(sites)) {
    const hosts = row.split(' ');
    const added = hosts.filter((host) => !SITES_OF_HOSTS.has(host));
    if (added.length === 0) continue;
    const known = hosts.flatMap((host) => SITES_OF_HOSTS.get(host) ?? []);
    const domain = (hosts[0] ?? '').replace(/^\*\./, '').replace(/\.\*$/, '.com');
    const site = known.find((one) => one.referring_class === referring_class) ??
      SITES_OF_NAMES.get(name) ?? { referring_class, name, domain };
    SITES_OF_NAMES.set(site.name, site);
    for (const host of added) SITES_OF_HOSTS.set(host, site);
  }
}

addSites('mail', MAIL);
addSites('assistant', ASSISTANTS);
addSites('social', SOCIAL);
addSites('search', SEARCH);
addSites('assistant', publicSites.assistant);
addSites('social', publicSites.social);
addSites('search', publicSites.search);
