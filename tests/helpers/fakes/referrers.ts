/** Visitors from each class of referring site, and what the server keeps of it. */
interface Visitor {
  /** Host of `document.referrer`. */
  host: string;
  referring_class: string;
  /** The column under the setting `referrerDetail: domain`. */
  referring_site: string | null;
  userAgent?: string;
}

const FACEBOOK_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/23A341 [FBAN/FBIOS;FBAV/540.0]';

export const ONE_OF_EACH_KIND: Visitor[] = [
  { host: 'www.google.co.uk', referring_class: 'search', referring_site: 'Google' },
  { host: 'gemini.google.com', referring_class: 'assistant', referring_site: 'Gemini' },
  { host: 'com.whatsapp', referring_class: 'social', referring_site: 'WhatsApp' },
  { host: '', userAgent: FACEBOOK_APP, referring_class: 'social', referring_site: 'Facebook' },
  { host: 'mail.google.com', referring_class: 'mail', referring_site: 'Gmail' },
  { host: 'www.portal.example', referring_class: 'partner', referring_site: 'portal.example' },
  { host: 'site.example', referring_class: 'own', referring_site: null },
  { host: '', referring_class: 'direct', referring_site: null },
  { host: 'News.Clinic.co.uk:8443', referring_class: 'other', referring_site: 'clinic.co.uk' },
];

/** Returns the columns that the server keeps under a setting of `referrerDetail`. */
export function keptOf({ referring_class, referring_site }: Visitor, referrerDetail: string) {
  if (referrerDetail === 'domain') return { referring_class, referring_site };
  return {
    referring_class: referrerDetail === 'none' ? null : referring_class,
    referring_site: null,
  };
}
