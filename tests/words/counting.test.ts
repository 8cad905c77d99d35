/** Tests the page's words about counting, for every combination of their settings. */
import { site } from 'virtual:site';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { COUNTING_DETAILS } from '#words/counting.ts';
import type { CountingFacts } from '#words/en/counting.ts';
import { privacy as privacyEn } from '#words/en/help/privacy.tsx';
import { privacy as privacyEs } from '#words/es/help/privacy.tsx';
import { factsIn } from '#words/facts-in.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { readingLevel } from '../helpers/browser/reading-level.ts';

const LOG_IP = ['full', 'truncated', 'none'] as const;
const LOOKUPS = [null, 'https://api.ipify.org/?format=json'];
const POSTHOGS = [
  null,
  'https://us.i.posthog.com',
  'https://eu.i.posthog.com',
  'https://ph.clinic.example',
];
const REFERRER_DETAIL = ['class', 'domain', 'none'] as const;
const ON_OFF = [true, false];

const ALL: CountingFacts[] = LOG_IP.flatMap((logIp) =>
  LOOKUPS.flatMap((ipLookupUrl) =>
    POSTHOGS.flatMap((posthogHost) =>
      ON_OFF.flatMap((registerForm) =>
        REFERRER_DETAIL.map((referrerDetail) => ({
          ...{ logIp, ipLookupUrl, registerForm, referrerDetail },
          posthogKey: posthogHost && 'phc_x',
          posthogHost: posthogHost ?? 'https://us.i.posthog.com',
        })),
      ),
    ),
  ),
);

const saidWith = (facts: CountingFacts, language: Language) =>
  COUNTING_DETAILS[language](facts).join('\n').replaceAll('’', "'");

type Claim = [words: RegExp, isTrue: (facts: CountingFacts) => boolean];
const hasPosthog = ({ posthogKey }: CountingFacts) => posthogKey !== null;
const isAt = (host: string) => (f: CountingFacts) => hasPosthog(f) && f.posthogHost.includes(host);

/** Each statement, and the condition under which the page makes it. */
const ENGLISH: Claim[] = [
  [/we keep the time, the button and the page's web address/, () => true],
  [/we also keep your browser and device type/i, () => true],
  [/and your rough screen size\./, () => true],
  [/We keep the names in your link, such as/, () => true],
  [/we keep [^.]*what kind of site you came from/i, (f) => f.referrerDetail === 'class'],
  [/we keep [^.]*which site you came from/i, (f) => f.referrerDetail === 'domain'],
  [/each visit gets a random number/i, () => true],
  [/it learns the same things about your device and your link/i, hasPosthog],
  [/we keep your network \(IP\) address\./, ({ logIp }) => logIp === 'full'],
  [
    /we keep your network \(IP\) address without its last part/,
    ({ logIp }) => logIp === 'truncated',
  ],
  [/we do not keep your network \(IP\) address/i, ({ logIp }) => logIp === 'none'],
  [/your browser asks api\.ipify\.org for your network address/, (f) => f.ipLookupUrl !== null],
  [/sees the address, and which site you are on/, (f) => f.ipLookupUrl !== null],
  [/PostHog, also gets each press and the number/, hasPosthog],
  [/when you open a page\. On the home page it also learns which parts you see/, hasPosthog],
  [/how fast the page is/, hasPosthog],
  [/send the form/, (f) => f.posthogKey !== null && f.registerForm],
  [/in the United States/, isAt('//us.')],
  [/in the European Union/, isAt('//eu.')],
  [/ph\.clinic\.example/, isAt('clinic')],
  [/it does not get your network address/i, hasPosthog],
  [/then we keep no network address/i, ({ logIp }) => logIp !== 'none'],
  [/api\.ipify\.org[^.]* learns? nothing/, (f) => f.ipLookupUrl !== null],
  [/PostHog learns? nothing/, hasPosthog],
];

const SPANISH: Claim[] = [
  [/guardamos la hora, el botón y la dirección web de la página/, () => true],
  [/También guardamos qué navegador y dispositivo usa, y [^.]*de su pantalla\./, () => true],
  [/Guardamos los nombres que lleva su enlace, como/, () => true],
  [/Guardamos [^.]*desde qué tipo de sitio llegó/, (f) => f.referrerDetail === 'class'],
  [/Guardamos [^.]*desde qué sitio llegó/, (f) => f.referrerDetail === 'domain'],
  [/Cada visita recibe un número al azar/, () => true],
  [/Sabe lo mismo de su dispositivo y de su enlace/, hasPosthog],
  [/guardamos su dirección de red \(IP\)\./, ({ logIp }) => logIp !== 'truncated'],
  [/No guardamos su dirección de red \(IP\)/, ({ logIp }) => logIp === 'none'],
  [
    /guardamos su dirección de red \(IP\) sin su última parte/,
    ({ logIp }) => logIp === 'truncated',
  ],
  [/pregunta a api\.ipify\.org su dirección de red/, (f) => f.ipLookupUrl !== null],
  [/ve su dirección y en qué sitio está/, (f) => f.ipLookupUrl !== null],
  [/PostHog, también recibe cada clic y el número/, hasPosthog],
  [/cuándo abre usted una página\. En la página de inicio sabe además/, hasPosthog],
  [/qué tan rápida es la página/, hasPosthog],
  [/envía el formulario/, (f) => hasPosthog(f) && f.registerForm],
  [/en los Estados Unidos/, isAt('//us.')],
  [/en la Unión Europea/, isAt('//eu.')],
  [/ph\.clinic\.example/, isAt('clinic')],
  [/No recibe su dirección de red/, hasPosthog],
  [/En ese caso, no guardamos ninguna dirección de red/, ({ logIp }) => logIp !== 'none'],
  [/api\.ipify\.org[^.]* no se enteran? de nada/, (f) => f.ipLookupUrl !== null],
  [/PostHog no se enteran? de nada/, hasPosthog],
];

const PRIVACY = { en: privacyEn, es: privacyEs };
const FACTS = factsIn(readSiteConfig().facts, 'en');

/** What the page's list of recipients says in HTML, and the main message. */
function privacyPage(facts: CountingFacts, language: Language) {
  const { lead, sections } = PRIVACY[language]({ ...site, ...facts }, FACTS);
  return { lead, recipients: renderToStaticMarkup(sections.who.body) };
}

const CLAIMS: Record<Language, Claim[]> = { en: ENGLISH, es: SPANISH };

describe.each(ALL)(
  'LOG_IP=$logIp, look-up $ipLookupUrl, PostHog $posthogKey at $posthogHost, form $registerForm, referrer $referrerDetail',
  (facts) => {
    test('the page makes every true statement, and no other', () => {
      for (const language of LANGUAGES) {
        const words = saidWith(facts, language);
        for (const [claim, isTrue] of CLAIMS[language]) {
          expect([String(claim), claim.test(words)]).toEqual([String(claim), isTrue(facts)]);
        }
        expect(OPT_OUT[language](facts).counted).toMatch(/visits|visitas/);
      }
    });

    test('the privacy page says at its top what we keep of the address, and lists who sees it', () => {
      for (const language of LANGUAGES) {
        const { lead, recipients } = privacyPage(facts, language);
        expect(/ \(IP\)/.test(lead)).toBe(facts.logIp !== 'none');
        expect(/\bpart(?:e)? (?:of|de) /.test(lead)).toBe(facts.logIp === 'truncated');
        expect(recipients.includes('api.ipify.org')).toBe(facts.ipLookupUrl !== null);
        expect(recipients.includes('PostHog')).toBe(hasPosthog(facts));
      }
    });

    test('the words have grade 8 or below, in short sentences', () => {
      const { grade, wordsPerSentence } = readingLevel(saidWith(facts, 'en').split('\n'));
      expect(grade).toBeLessThanOrEqual(8);
      expect(wordsPerSentence).toBeLessThanOrEqual(16);
    });
  },
);

test.each([
  [0, 'Your registration stays until you or we delete it.', 'hasta que la borramos'],
  [400, 'We delete your registration after about 400 days', 'tras unos 400 días, o cuando'],
])(
  'with registrationRetentionDays=%s the page says how long one stays',
  (days, english, spanish) => {
    const settings = { ...site, registerForm: true, registrationRetentionDays: days };
    const pageOf = (language: Language) =>
      renderToStaticMarkup(PRIVACY[language](settings, FACTS).sections.time.body);
    expect(pageOf('en')).toContain(english);
    expect(pageOf('es')).toContain(spanish);
  },
);
