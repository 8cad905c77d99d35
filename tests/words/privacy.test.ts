/**
 * /help/privacy/ says what the settings make true, and tells of all that is recorded. tests/e2e/privacy.spec.ts compares its lists of
 * requests and stored keys with a browser.
 */
import { readFileSync } from 'node:fs';
import { site } from 'virtual:site';
import { describe, expect, test } from 'vitest';
import { clickLineSchema } from '#contract/click-line.schema.ts';
import { EVENTS, VISIT_PROPERTIES } from '#contract/events.ts';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { optOut as optOutEn } from '#words/en/opt-out.ts';
import { optOut as optOutEs } from '#words/es/opt-out.ts';
import { helpWords } from '#words/help.ts';
import { makeVisit } from '../../server/visits/visits.ts';
import { readingLevel } from '../helpers/browser/reading-level.ts';
import { textOf } from '../helpers/run/built-pages.ts';

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

/** Words of the page in each language, and whether it says them. */
const CLAIMS: [english: RegExp, spanish: RegExp, isTrue: (settings: Settings) => boolean][] = [
  [
    /^[^.]+\. We count button presses and visits\. With each press we keep your network/,
    /^[^.]+\. Contamos los clics en los botones y las visitas\. Con cada clic guardamos su/,
    ({ logIp }) => logIp === 'full',
  ],
  [/a part of your network/, /guardamos parte de su/, ({ logIp }) => logIp === 'truncated'],
  [/And we keep your network \(IP\) address\./, /Y guardamos su dirección de red \(IP\)\./, isFull],
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
  [
    /we keep the time, the button and the page’s web address/,
    /guardamos la hora, el botón y la dirección web/,
    always,
  ],
  [
    /browser and device type, and your rough screen size/,
    /navegador y dispositivo usa, y el tamaño aproximado/,
    always,
  ],
  [/We keep the names in your link/, /Guardamos los nombres que lleva su enlace/, always],
  [/Each visit gets a random number/, /Cada visita recibe un número al azar/, always],
  [/then sees the address, and which site/, /ve su dirección y en qué sitio/, hasLookup],
  [/asks api\.ipify\.org for your/, /pregunta a api\.ipify\.org su dirección/, hasLookup],
  [/does not ask api\.ipify\.org/, /no pregunta a api\.ipify\.org/, hasLookup],
  [/api\.ipify\.org sees your/, /api\.ipify\.org ve su/, hasLookup],
  [/PostHog learns nothing/, /PostHog no se entera de nada/, hasPosthog],
  [/PostHog sees what it gets/, /PostHog ve lo que recibe/, hasPosthog],
  [/learns the same things about your device/, /Sabe lo mismo de su dispositivo/, hasPosthog],
  [/PostHog keeps its events/, /PostHog guarda sus eventos/, hasPosthog],
  [/ask PostHog to delete/, /Pedimos a PostHog que borre/, hasPosthog],
  [/It does not get your network/, /No recibe su dirección de red/, hasPosthog],
  [/in the United States\. We/, /en los Estados Unidos\./, isAt('//us.')],
  [/in the European Union\. We/, /en la Unión Europea\./, isAt('//eu.')],
  [/reach it at ph\.clinic\.example\./, /dirección es ph\.clinic\.example\./, isAt('clinic')],
  [/until we delete it\. We have/, /hasta que la borramos\. No hay/, (f) => !f.clickRetentionDays],
  [/visit after about 20 days/, /visita tras unos 20 días/, (f) => f.clickRetentionDays === 20],
  [
    /log files after about 20 days/,
    /los registros tras unos 20/,
    (f) => f.clickRetentionDays === 20,
  ],
  [
    /registration until we delete it/,
    /su inscripción hasta/,
    (f) => f.registerForm && !endsRegistration(f),
  ],
  [/registration after about 400 days/, /inscripción tras unos 400/, endsRegistration],
];

function always() {
  return true;
}
function isFull({ logIp }: Settings) {
  return logIp === 'full';
}
function keepsAddress({ logIp }: Settings) {
  return logIp !== 'none';
}
function hasLookup({ ipLookupUrl }: Settings) {
  return ipLookupUrl !== null;
}
function hasPosthog({ posthogKey }: Settings) {
  return posthogKey !== null;
}
function isAt(host: string) {
  return (settings: Settings) => hasPosthog(settings) && settings.posthogHost.includes(host);
}
function endsRegistration({ registrationRetentionDays }: Settings) {
  return registrationRetentionDays > 0;
}

describe.each(Object.entries(SETTINGS))('with the settings %s', (_, settings) => {
  test('the page makes every true statement, and no other', () => {
    const [english, spanish] = [pageWith(settings, 'en'), pageWith(settings, 'es')];
    for (const [inEnglish, inSpanish, isTrue] of CLAIMS) {
      const said = [inEnglish, inEnglish.test(english), inSpanish, inSpanish.test(spanish)];
      expect(said).toEqual([inEnglish, isTrue(settings), inSpanish, isTrue(settings)]);
    }
  });

  test('the words have grade 8 or below, in short sentences', () => {
    const { grade, wordsPerSentence } = readingLevel([pageWith(settings, 'en')]);
    expect(grade).toBeLessThanOrEqual(8);
    expect(wordsPerSentence).toBeLessThanOrEqual(16);
  });
});

describe.each(LANGUAGES)('in the language "%s"', (language) => {
  const markdown = readFileSync(`words/${language}/help/privacy.md`, 'utf8');
  /** The names in the comments of a part of the page, which begins with these words. */
  const namesAfter = (start: RegExp) =>
    [...(markdown.split(start)[1]?.split(/^#/m)[0] ?? '').matchAll(/<!-- (.*?) -->/g)]
      .flatMap(([, names = '']) => names.split(' '))
      .sort();

  test('the page tells of every field of a click, column of a visit, and property of an event', () => {
    expect(namesAfter(/\{#kept\}/)).toEqual(Object.keys(clickLineSchema.shape).sort());
    const properties = { $pathname: '/' } as Parameters<typeof makeVisit>[0]['properties'];
    const marks = { is_bot: false, is_internal: false };
    const visit = makeVisit({ uuid: '', properties }, marks, 0) ?? {};
    const ofVisit = namesAfter(/### (?:What we keep of one|Qué guardamos de una) visit.*/);
    expect(ofVisit).toEqual(Object.keys(visit).sort());
    const ofEvent = namesAfter(/### (?:What comes with each event|Qué lleva cada evento)/);
    expect(ofEvent).toEqual(Object.keys(VISIT_PROPERTIES).sort());
  });

  test('the page describes each term of a press', () => {
    const part = markdown.split('{#kept}')[1]?.split(/^#/m)[0] ?? '';
    const terms = [...part.matchAll(/^(?:\{.*?\} )*(.+?) <!--/gm)].map(([, term]) => term);
    expect(terms).not.toEqual([]);
    for (const settings of [MOST, OTHER_PARTS]) {
      const { html = '' } = sectionOf(settings, language, 'kept') ?? {};
      const described = [...html.matchAll(/<dt>(.*?)<\/dt><dd>[^<]/g)].map(([, term]) => term);
      expect(described).toEqual(terms);
    }
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

  test('the page names the button that turns counting off', () => {
    const { turnOff } = { en: optOutEn, es: optOutEs }[language](site);
    expect(textOf(sectionOf(MOST, language, 'stop')?.html ?? '')).toContain(turnOff);
  });
});
