/** Tests the page's words about counting, for every combination of their settings. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type CountingFacts, countingSummary } from '#components/counting-words.ts';
import { WhatWeCount } from '../../pages/index/what-we-count.tsx';
import { readingLevel } from '../helpers/browser/reading-level.ts';
import { textOf } from '../helpers/run/built-pages.ts';

const LOG_IP = ['full', 'truncated', 'none'] as const;
const LOOKUPS = [null, 'https://api.ipify.org/?format=json'];
const POSTHOGS = [
  null,
  'https://us.i.posthog.com',
  'https://eu.i.posthog.com',
  'https://ph.clinic.example',
];
const REFERRING_DOMAIN = ['class', 'domain', 'none'] as const;
const ON_OFF = [true, false];

const ALL: CountingFacts[] = LOG_IP.flatMap((logIp) =>
  LOOKUPS.flatMap((ipLookupUrl) =>
    POSTHOGS.flatMap((posthogHost) =>
      ON_OFF.flatMap((posthogSendIp) =>
        ON_OFF.flatMap((registerForm) =>
          REFERRING_DOMAIN.map((referringDomain) => ({
            ...{ logIp, ipLookupUrl, posthogSendIp, registerForm, referringDomain },
            posthogKey: posthogHost && 'phc_x',
            posthogHost: posthogHost ?? 'https://us.i.posthog.com',
            youtubeId: registerForm ? 'aqz-KE-bpKQ' : null,
          })),
        ),
      ),
    ),
  ),
);

const saidWith = (facts: CountingFacts) =>
  textOf(renderToStaticMarkup(<WhatWeCount facts={facts} />)).replaceAll('’', "'");

/** Each statement, and the condition under which the page makes it. */
const CLAIMS: [words: RegExp, isTrue: (facts: CountingFacts) => boolean][] = [
  [/we keep the time, the button and this page's web address/, () => true],
  [/we also keep your browser and device type/i, () => true],
  [/we also keep [^.]*your rough screen size, your link's campaign/i, () => true],
  [/we also keep [^.]*what kind of site you came from/i, (f) => f.referringDomain === 'class'],
  [/we also keep [^.]*which site you came from/i, (f) => f.referringDomain === 'domain'],
  [/and a random number for this visit/, () => true],
  [/it learns [^.]*screen size, your link's campaign/i, (f) => f.posthogKey !== null],
  [
    /it learns [^.]*what kind of site you came from/i,
    (f) => f.posthogKey !== null && f.referringDomain === 'class',
  ],
  [
    /it learns [^.]*which site you came from/i,
    (f) => f.posthogKey !== null && f.referringDomain === 'domain',
  ],
  [/we use no cookies/i, () => true],
  [/we keep your network \(IP\) address\./, ({ logIp }) => logIp === 'full'],
  [
    /we keep your network \(IP\) address without its last part/,
    ({ logIp }) => logIp === 'truncated',
  ],
  [/we do not keep your network \(IP\) address/i, ({ logIp }) => logIp === 'none'],
  [/your browser asks api\.ipify\.org for your network address/, (f) => f.ipLookupUrl !== null],
  [/sees the address, and which site you are on/, (f) => f.ipLookupUrl !== null],
  [/PostHog, also gets each press and the number/, ({ posthogKey }) => posthogKey !== null],
  [/when you open the page, which parts you see/, ({ posthogKey }) => posthogKey !== null],
  [/how fast the page is/, ({ posthogKey }) => posthogKey !== null],
  [/send the form/, (f) => f.posthogKey !== null && f.registerForm],
  [/in the United States/, (f) => f.posthogKey !== null && f.posthogHost.includes('//us.')],
  [/in the European Union/, (f) => f.posthogKey !== null && f.posthogHost.includes('//eu.')],
  [/ph\.clinic\.example/, (f) => f.posthogKey !== null && f.posthogHost.includes('clinic')],
  [
    /it gets your network address, and can tell your region/i,
    (f) => getsAddress(f) && f.logIp === 'full',
  ],
  [/it gets your network address without/i, (f) => getsAddress(f) && f.logIp === 'truncated'],
  [/it does not get your network address/i, (f) => f.posthogKey !== null && !getsAddress(f)],
  [/YouTube sees your network address/, ({ youtubeId }) => youtubeId !== null],
  [/then we keep no network address/i, ({ logIp }) => logIp !== 'none'],
  [/api\.ipify\.org[^.]* learns? nothing/, (f) => f.ipLookupUrl !== null],
  [/PostHog learns? nothing/, ({ posthogKey }) => posthogKey !== null],
];

const getsAddress = ({ posthogKey, posthogSendIp, logIp }: CountingFacts) =>
  posthogKey !== null && posthogSendIp && logIp !== 'none';

describe.each(ALL)(
  'LOG_IP=$logIp, look-up $ipLookupUrl, PostHog $posthogKey at $posthogHost, its address $posthogSendIp, form $registerForm, referrer $referringDomain',
  (facts) => {
    test('the page makes every true statement, and no other', () => {
      const words = saidWith(facts);
      for (const [claim, isTrue] of CLAIMS) {
        expect([String(claim), claim.test(words)]).toEqual([String(claim), isTrue(facts)]);
      }
      expect(countingSummary(facts).includes('visits')).toBe(facts.posthogKey !== null);
    });

    test('the words have grade 8 or below, in short sentences', () => {
      const { grade, wordsPerSentence } = readingLevel(saidWith(facts).split('\n'));
      expect(grade).toBeLessThanOrEqual(8);
      expect(wordsPerSentence).toBeLessThanOrEqual(16);
    });
  },
);
