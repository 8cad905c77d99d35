/** Words for the lists of what this site records, in English. */
import type { LogIp, ReferringDomainSetting } from '#contract/privacy.schema.ts';
import type { RecordedWords } from '../../recorded.tsx';
import type { CountingFacts } from '../counting.ts';

const FROM: Record<ReferringDomainSetting, string> = {
  class: ', and the kind of site that you came from',
  domain: ', and the site that you came from',
  none: '',
};

const ADDRESS: Record<LogIp, string | null> = {
  full: 'Your network (IP) address. Not if your browser asks for privacy.',
  truncated:
    'Your network (IP) address without its last part. Not if your browser asks for privacy.',
  none: null,
};

export function recorded({ logIp, referringDomain, posthogSendIp }: CountingFacts): RecordedWords {
  const from = FROM[referringDomain];
  const address = ADDRESS[logIp];
  return {
    requests: {
      click: ['A press of a sign-up button', 'Right after the press. Again, if it did not arrive.'],
      stats: ['A question: how many presses so far?', 'On the home page, twice a minute.'],
      events: [
        'What PostHog gets',
        'When you open a page. On the home page also when you act. Our server passes it on.',
      ],
      registration: ['The form', 'When you send it: what you typed.'],
      ipLookup: [
        'A question: what is my network address?',
        'When you reach a sign-up button. Not if your browser asks for privacy.',
      ],
      film: ['The film, from YouTube', 'If you start it.'],
    },
    stored: {
      counting: ['Your choice not to be counted', 'Until you turn counting on.'],
      'click:': [
        'A press that has not arrived yet',
        'Until it arrives, 7 days at most. It goes at once if you turn counting off.',
      ],
      'clicks-dropped': ['How many presses were lost', 'Until the next press arrives.'],
      __mplssupport__: ['A trial by PostHog: can it store?', 'It goes at once.'],
      'register-draft': ['What you type in the form', 'Until you send it, or close the tab.'],
    },
    fields: {
      time: ['Times', 'When you pressed, when your browser sent it, and when it arrived.'],
      button: ['Button and page', 'Which button, and the page’s web address.'],
      origin: ['Your way here', `The code and the campaign in the link that you used${from}.`],
      device: ['Device', 'The name of your browser and system, and how wide your screen is.'],
      address: address === null ? null : ['Address', address],
      numbers: [
        'Numbers',
        'Random numbers for the press, the visit and the request. And if it was the first press of the visit, the second, and so on.',
      ],
      delivery: [
        'Delivery',
        'How it was sent, which server took it, and how many were lost before.',
      ],
      marks: ['Marks', 'If a robot or our own test pressed. If your browser asks for privacy.'],
    },
    events: {
      $pageview: ['A page was opened', 'Once each time.'],
      section_viewed: ['A part was read', 'On the home page: which part was in view.'],
      cta_click: ['A sign-up button was pressed', 'Which button, and the number of the press.'],
      video_played: ['The film was started', 'Once each time.'],
      registration_submitted: ['The form was sent', 'Nothing of what you typed.'],
      registration_succeeded: ['The form arrived', 'Nothing of what you typed.'],
      registration_failed: ['The form did not arrive', 'Nothing of what you typed.'],
      web_vital: ['The speed of the home page', 'How fast it showed, answered and kept still.'],
    },
    properties: {
      origin: ['Your way here', `The code and the campaign in the link that you used${from}.`],
      visit: ['Visit', 'A random number for this one visit.'],
      page: ['Page', 'Its web address, without what is in your link.'],
      device: ['Device', 'The name of your browser and system, and how wide your screen is.'],
      address: [
        'Address',
        posthogSendIp && address !== null ? address : 'One that no one has, in place of yours.',
      ],
      profile: ['Profile', 'That PostHog makes no profile of you.'],
    },
  };
}
