/**
 * /help/privacy/ says what the settings make true, and tells of all that is recorded.
 * tests/e2e/privacy.spec.ts compares its lists of requests and stored keys with a browser.
 */
import { readFileSync } from 'node:fs';
import { site } from 'virtual:site';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '#contract/events.ts';
import { LANGUAGES, type Language } from '#contract/language.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { helpWords } from '#words/help.ts';
import { CLICK_LINE_FIELDS } from '../../server/clicks/import-clicks.ts';
import { VISIT_PROPERTIES } from '../../server/posthog/visit-properties.ts';
import { makeView } from '../../server/visits/view.ts';
import { SITE } from '../helpers/server/write-dist.ts';
import { textOf } from '../helpers/words/page-text.ts';

const LEAST = {
  ...site,
  logIp: 'none',
  referrerDetail: 'none',
  ipLookupUrl: null,
  posthogKey: null,
  registerForm: false,
} as const;
const MOST = {
  ...site,
  logIp: 'full',
  referrerDetail: 'class',
  ipLookupUrl: 'https://api.ipify.org/?format=json',
  posthogKey: 'phc_x',
  posthogHost: 'https://us.i.posthog.com',
  registerForm: true,
} as const;
const LEAST_KEPT = { ...LEAST, logIp: 'full' } as const;
const OTHER_PARTS = {
  ...MOST,
  logIp: 'truncated',
  referrerDetail: 'domain',
  posthogHost: 'https://eu.i.posthog.com',
  clickRetentionDays: 20,
  registrationRetentionDays: 400,
} as const;
const OWN_POSTHOG = { ...MOST, posthogHost: 'https://ph.clinic.example' } as const;
const SETTINGS = { LEAST, LEAST_KEPT, MOST, OTHER_PARTS, OWN_POSTHOG };
type Settings = (typeof SETTINGS)[keyof typeof SETTINGS];

const sectionOf = (settings: Settings, language: Language, anchor: string) =>
  helpWords('privacy', language, settings).sections.find((section) => section.anchor === anchor);

function pageWith(settings: Settings, language: Language): string {
  const { lead, sections } = helpWords('privacy', language, settings);
  return [lead, ...sections.map(({ html }) => textOf(html))].join('\n').replaceAll('\n', ' ');
}

const hasLookup = ({ ipLookupUrl }: Settings) => ipLookupUrl !== null;
const hasPosthog = ({ posthogKey }: Settings) => posthogKey !== null;
const isAt = (host: string) => (settings: Settings) =>
  hasPosthog(settings) && settings.posthogHost.includes(host);
const keepsAddress = ({ logIp }: Settings) => logIp !== 'none';
const endsRegistration = (settings: Settings) => settings.registrationRetentionDays > 0;

/** Words of the page in each language, and whether it says them. */
const CLAIMS: [english: RegExp, spanish: RegExp, isTrue: (settings: Settings) => boolean][] = [
  [
    /^[^.]+\. (?:The form [^.]+\. )?We count button presses and visits\. With each press we keep your network/,
    /^[^.]+\. (?:El formulario [^.]+\. )?Contamos los clics en los botones y las visitas\. Con cada clic guardamos su/,
    ({ logIp }) => logIp === 'full',
  ],
  [
    /^[^.]+never to this site\. The form sends us your entries\./,
    /^[^.]+nunca a este sitio\. El formulario nos envía sus datos\./,
    ({ registerForm }) => registerForm,
  ],
  [
    /service that sends our mail sees your email/,
    /servicio que envía nuestros correos ve su correo/,
    ({ registerForm }) => registerForm,
  ],
  [/a part of your network/, /guardamos parte de su/, ({ logIp }) => logIp === 'truncated'],
  [
    /And we keep your network \(IP\) address\./,
    /Y guardamos su dirección de red \(IP\)\./,
    ({ logIp }) => logIp === 'full',
  ],
  [
    /And we keep your network \(IP\) address without its last part\./,
    /Y guardamos su dirección de red \(IP\) sin su última parte\./,
    ({ logIp }) => logIp === 'truncated',
  ],
  [/We do not keep your network/, /No guardamos su dirección/, ({ logIp }) => logIp === 'none'],
  [/We keep no network address\./, /No guardamos ninguna dirección/, keepsAddress],
  [/Your network \(IP\) address on that day/, /Su dirección de red \(IP\) de ese/, keepsAddress],
  [/We keep what kind of site/, /Guardamos desde qué tipo/, (f) => f.referrerDetail === 'class'],
  [/We keep which site/, /Guardamos desde qué sitio/, (f) => f.referrerDetail === 'domain'],
  [/then sees the address, and which site/, /ve su dirección y en qué sitio/, hasLookup],
  [/asks api\.ipify\.org for your/, /pregunta a api\.ipify\.org su dirección/, hasLookup],
  [/api\.ipify\.org sees your/, /api\.ipify\.org ve su/, hasLookup],
  [/PostHog sees what it gets/, /PostHog ve lo que recibe/, hasPosthog],
  [/learns the same things about your device/, /Sabe lo mismo de su dispositivo/, hasPosthog],
  [/ask PostHog to delete/, /También pedimos a PostHog que borre/, hasPosthog],
  [/it does depends on PostHog/, /depende de PostHog/, hasPosthog],
  [
    /Backups and the system’s own log keep it/,
    /Las copias y el registro del sistema lo guardan/,
    () => true,
  ],
  [/It does not get your network/, /No recibe su dirección de red/, hasPosthog],
  [/in the United States\. We/, /en Estados Unidos\./, isAt('//us.')],
  [/in the European Union\. We/, /en la Unión Europea\./, isAt('//eu.')],
  [/reach it at ph\.clinic\.example\./, /dirección es ph\.clinic\.example\./, isAt('clinic')],
  [
    /visit has no end date\. It stays until we delete it\./,
    /visita no tiene fecha de fin\. Queda hasta que la borremos\./,
    (f) => !f.clickRetentionDays,
  ],
  [
    /We empty the address, browser and visit number of a press after about 90 days/,
    /Vaciamos la dirección, el navegador y el número de visita de un clic tras unos 90 días/,
    (f) => !f.clickRetentionDays && keepsAddress(f),
  ],
  [
    /We empty the browser and visit number of a press after about 90 days/,
    /Vaciamos el navegador y el número de visita de un clic tras unos 90 días/,
    (f) => !f.clickRetentionDays && !keepsAddress(f),
  ],
  [/visit after about 20 days/, /visita tras unos 20 días/, (f) => f.clickRetentionDays === 20],
  [
    /registration until we delete it/,
    /su inscripción hasta/,
    (f) => f.registerForm && !endsRegistration(f),
  ],
  [/registration after about 400 days/, /inscripción tras unos 400/, endsRegistration],
];

describe.each(Object.entries(SETTINGS))('with the settings %s', (_, settings) => {
  test('the page makes every true statement, and no other', () => {
    const [english, spanish] = [pageWith(settings, 'en'), pageWith(settings, 'es')];
    for (const [inEnglish, inSpanish, isTrue] of CLAIMS) {
      const said = [inEnglish, inEnglish.test(english), inSpanish, inSpanish.test(spanish)];
      expect(said).toEqual([inEnglish, isTrue(settings), inSpanish, isTrue(settings)]);
    }
  });
});

describe.each(LANGUAGES)('in the language "%s"', (language) => {
  const markdown = readFileSync(`words/${language}/help/privacy.md`, 'utf8');
  /** The names in the comments of a part of the page, which begins with these words. */
  const namesAfter = (start: RegExp) =>
    [...(markdown.split(start)[1]?.split(/^#/m)[0] ?? '').matchAll(/<!-- (.*?) -->/g)]
      .flatMap(([, names = '']) => names.split(' '))
      .sort();

  test('the page tells of every field of a click, column of a view, and property of an event', () => {
    expect(namesAfter(/\{#kept\}/)).toEqual(Object.keys(CLICK_LINE_FIELDS).sort());
    const sent = { page_url: 'https://site.example/', timestamp: '' } as ViewBody;
    const { row } = makeView(sent, { receivedAt: 0, userAgent: '' }, SITE);
    const ofVisit = namesAfter(/### (?:What we keep of one|Qué guardamos de una) visit.*/);
    expect(ofVisit).toEqual(Object.keys(row).sort());
    const ofEvent = namesAfter(/### (?:What comes with each event|Qué lleva cada evento)/);
    expect(ofEvent).toEqual(Object.keys(VISIT_PROPERTIES).sort());
  });

  test('the page lists every event that can happen, and no other', () => {
    const listed = ({ registerForm }: { registerForm: boolean }) => {
      const { html = '' } =
        sectionOf({ ...MOST, registerForm } as Settings, language, 'posthog') ?? {};
      return [...html.matchAll(/<code>(.*?)<\/code>/g)].map(([, name]) => name);
    };
    const events = Object.keys(EVENTS);
    expect(listed({ registerForm: true }).sort()).toEqual(events.toSorted());
    const withoutForm = events.filter((event) => !event.startsWith('registration_'));
    expect(listed({ registerForm: false }).sort()).toEqual(withoutForm.sort());
    expect(sectionOf(LEAST, language, 'posthog')).toBeUndefined();
  });
});
