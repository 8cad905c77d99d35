/** Words for the lists of what this site records, in English. */
import type { LogIp, ReferrerDetail } from '#contract/privacy.schema.ts';
import type { RecordedWords } from '../../recorded.tsx';
import type { CountingFacts } from '../counting.ts';

const FROM: Record<ReferrerDetail, string> = {
  class: ' And the kind of site that you came from.',
  domain: ' And the site that you came from.',
  none: '',
};

const FROM_KIND: Record<ReferrerDetail, string> = { ...FROM, domain: '' };

const ADDRESS: Record<LogIp, string | null> = {
  full: 'Your network (IP) address. Not if your browser asks for privacy.',
  truncated:
    'Your network (IP) address without its last part. Not if your browser asks for privacy.',
  none: null,
};

export function recorded({ logIp, posthogKey, referrerDetail }: CountingFacts): RecordedWords {
  const from = FROM[referrerDetail];
  const address = ADDRESS[logIp];
  return {
    requests: {
      click: ['A press of a sign-up button', 'Right after the press. Again, if it did not arrive.'],
      stats: ['How many presses so far?', 'On the home page, twice a minute.'],
      events: posthogKey
        ? [
            'A visit, and what PostHog gets',
            'When you open a page. On the home page also when you act. Our server passes it on.',
          ]
        : ['A visit', 'When you open a page. Not if your browser asks for privacy.'],
      registration: ['The form', 'When you send it: what you typed.'],
      ipLookup: [
        'What is my network address?',
        'When you reach a sign-up button. Not if your browser asks for privacy.',
      ],
    },
    stored: {
      counting: ['Your choice not to be counted', 'Until you turn counting on.'],
      'click:': [
        'A press that has not arrived yet',
        'Until it arrives, 7 days at most. It goes at once if you turn counting off.',
      ],
      'clicks-dropped': ['How many presses were lost', 'Until the next press arrives.'],
      __mplssupport__: ['A test by PostHog: can it store?', 'It goes at once.'],
      'register-draft': ['What you type in the form', 'Until you send it, or close the tab.'],
    },
    fields: {
      time: ['Times', 'When you pressed, when your browser sent it, and when it arrived.'],
      button: ['Button and page', 'Which button, and the page’s web address.'],
      origin: [
        'Your way here',
        `The code and the names in your link, such as the name of a newsletter.${from}`,
      ],
      device: ['Device', 'The name of your browser and system, and how wide your screen is.'],
      address: address === null ? null : ['Address', address],
      numbers: [
        'Numbers',
        'Random numbers for the press, the visit and the request. And which press of the visit it was: 1, 2 and so on.',
      ],
      delivery: [
        'Delivery',
        'How it was sent, which server took it, and how many earlier presses did not reach us.',
      ],
      marks: [
        'Robot and privacy',
        'Whether a robot or our own test pressed. Whether your browser asks for privacy.',
      ],
    },
    visit: {
      time: 'When you opened the page.',
      page: 'Which page of this site it was.',
      origin: `Your way here: the code and the names in your link.${FROM_KIND[referrerDetail]}`,
      screen: 'How wide your screen is: small, medium or large.',
      marks:
        'A number made from the visit’s random number, so that we count it once. Whether a robot came.',
    },
    events: {
      $pageview: 'You opened a page.',
      section_viewed: 'A part of the home page was in view.',
      cta_click: 'You pressed a sign-up button: which one, and the number of the press.',
      video_played: 'You started the film.',
      registration_submitted:
        'You sent the form, and it arrived or not. Nothing of what you typed.',
      registration_succeeded: null,
      registration_failed: null,
      web_vital: 'How fast the home page showed and answered, and if it kept still.',
    },
    properties: {
      origin: 'Your way here, as above.',
      visit: 'A random number for the visit.',
      page: 'The page’s web address, without what is in your link.',
      device: 'Your device, as above.',
      address: 'A made-up network address in place of yours.',
      profile: 'A note, so that PostHog makes no profile of you.',
    },
  };
}
