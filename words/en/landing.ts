/** The words of the landing page and of the leaflet in English. Small pages share some of them. */
import type { Site } from '#site.config.ts';
import { unbroken } from '../unbroken.ts';

export type LandingWords = ReturnType<typeof landing>;

export const JOIN = 'Join the Drive';

/** The settings that its words name. */
export type LandingFacts = Pick<Site, 'productName' | 'partnerName' | 'operator' | 'registerForm'>;

export const landing = (site: LandingFacts) => ({
  skip: 'Skip to main content',
  newTab: '(opens in new tab)',
  join: JOIN,
  header: { label: 'Help and language', questions: 'Questions' },
  otherLanguage: 'Español',
  hero: {
    audience: 'For people with spinal muscular atrophy (SMA) and their families',
    headline: ['Many records.', 'One road forward.'],
    purpose: `The ${site.productName} is a nationwide patient data initiative in the United States. Link your health records from different providers in one private space. See gaps in your care. Share data for ${unbroken('research, if you choose.')}`,
    signUp: `The button opens the site of ${unbroken(site.partnerName)}, our partner. ${unbroken('You create your account there.')}`,
    /** The alternative text of the drawing. */
    drawing: 'Many loose records lead into one road, on which people travel together.',
    /** Below the first button. Each leads to the page that says more. */
    facts: [
      { label: 'Run by', answer: site.operator, page: '/help/who/' },
      { label: 'Cost', answer: 'Free, about 10 minutes', page: '/help/questions/#cost' },
      {
        label: 'Your data',
        // With the form, this site gets its entries. The privacy page says so.
        answer: `Your records go to ${unbroken(site.partnerName, 'answer')}${site.registerForm ? '' : ', never to this site'}`,
        page: '/help/privacy/',
      },
      {
        label: 'For a child',
        answer: 'A parent or guardian may join',
        page: '/help/questions/#eligibility',
      },
    ],
  },
  problem: {
    title: 'The SMA journey is improving, but not fast enough',
    intro:
      'New treatments have changed what is possible. Daily life with SMA still asks a lot. 3 things slow us all down.',
    items: [
      {
        title: 'Fragmented care',
        text: 'Your neurologist, lung doctor and therapist each keep their own notes. Often no one sees the whole picture, so you carry it from door to door.',
      },
      {
        title: 'Exhausting fatigue',
        text: 'Many days with SMA are tiring enough. Forms, calls and telling your story again use up strength you need for living.',
      },
      {
        title: 'Limited research insights',
        text: 'SMA is rare, and what is known about it sits in many places. When each researcher sees a small part, answers come slowly.',
      },
    ],
  },
  success: {
    label: 'A success story',
    title: 'Cystic fibrosis clinics pooled their data',
    text: 'In 1966, clinics in the US began a registry to pool data on people with cystic fibrosis (CF). They compared what worked, and learned from each other. This helped bring better care and new drugs.',
    withCf: 'Life expectancy with CF: what people hope for',
    withCfFigure: 'Over 65 years',
    everyone: 'Life expectancy of everyone in the US, 2024',
    everyoneFigure: '79 years',
    sources: 'Sources:',
    forecasts:
      '“Over 65 years” is hoped for, and was not yet reached in 2023. The mark on the bar: half the babies with CF born from 2019 to 2023 are predicted to live past 61.',
    method:
      'These figures are counted in different ways: 61 is a median (the age in the middle), and 79 is an average. This is about CF. SMA is different.',
    registry: 'CF Foundation Patient Registry, 2023',
    statistics: 'CDC, 2024',
  },
  howItWorks: {
    title: 'How It Works',
    intro: '3 steps. You set the pace, and you can stop at any point.',
    /** Before a step's number, for screen readers. */
    step: 'Step',
    steps: {
      connect: {
        title: 'Connect your records',
        text: 'Choose your hospitals, clinics and labs. Their records come together in your private space.',
      },
      insight: {
        title: 'Get personalized insights',
        text: 'See what your records say as a whole. Spot gaps in your care, and studies that may fit you. It is not medical advice. Your care team decides with you.',
      },
      research: {
        title: 'Drive research forward',
        text: 'Choose whether to share your data with research. It can help answer questions for others with SMA.',
      },
    },
    film: {
      title: 'See it in one minute',
      text: 'A short, calm film with captions and no sound.',
      read: 'Read the film as text',
      label: `Film: how the ${site.productName} works`,
    },
  },
  benefits: {
    title: 'What You Get',
    items: [
      {
        title: 'Organized records',
        text: 'Visits, tests and letters on one timeline. Bring it to any appointment, and tell your story once.',
      },
      {
        title: 'Personalized care insights',
        text: 'Plain notes on care you may be missing, with questions for your care team.',
      },
      {
        title: 'Research impact',
        text: 'Your data, joined with that of others, can help researchers ask better questions and find answers sooner.',
      },
    ],
  },
  privacy: {
    title: 'Your Data, Your Choices',
    items: [
      {
        title: 'Compliant',
        // A duty and not a promise. To name a law, or the words of the partner's policy, somebody
        // must confirm them.
        text: `${site.partnerName} must be compliant with health privacy laws.`,
      },
      {
        title: 'Encrypted',
        text: 'Your records are encrypted in transit and at rest. They are scrambled on their way, and where they are stored.',
      },
      {
        title: 'In your control',
        text: 'You decide which records to link and what to share. You can stop sharing later. Research that has already used your data often cannot be undone.',
      },
      { title: 'Yours to delete', text: 'You can delete your account at any time.' },
    ],
    /** The link in the first item. */
    policy: `Privacy policy of ${site.partnerName}`,
    poweredBy: `Powered by ${site.partnerName}, a health insights platform operating since 2017.`,
    counting: 'See what this site records',
  },
  impact: {
    title: 'Sample Stories',
    intro: 'We wrote both as examples. No real person said them.',
    label: 'Sample story',
    stories: [
      {
        quote:
          'I used to bring 3 folders to every visit. Now I bring one screen, and we start with how I am.',
        person: 'A patient, 29, who drives a power chair',
      },
      {
        quote: 'When the whole record is in one place, I search less and listen more.',
        person: 'A pediatric neurologist',
      },
    ],
  },
  closing: {
    title: 'Ready to Drive Change?',
    intro: 'Take your time. Ask what you need to know first.',
  },
  footer: {
    label: 'On this page',
    about: 'About',
    howItWorks: 'How It Works',
    benefits: 'Benefits',
    register: 'Register',
    privacyPolicy: 'Privacy policy',
    terms: 'Terms',
    help: 'Questions and facts',
    operator: `${site.operator} runs this site.`,
    contact: 'Write to us:',
    call: 'Call us:',
    copyright: `© 2025 ${site.productName}`,
  },
  notFound: {
    router: 'Did you forget to add the page to the router?',
    moved: 'This page does not exist, or it has moved.',
  },
  /** After the messages, where a form without script is refused. */
  notRegistered: {
    goBack: 'Press the Back button of your browser. The form still has what you typed.',
    emptyForm: 'Open an empty form',
  },
  /**
   * The leaflet for clinics (server/links/leaflet/leaflet.ts) has the words of the hero and of the
   * steps, and these.
   */
  leaflet: {
    scan: 'Point your phone’s camera at the square',
    type: 'Or type this address:',
    code: 'QR code',
    signUp: `You create your account with ${site.partnerName}, our partner.`,
    control: 'You decide what to share, and you can delete your account at any time. Questions?',
    /** Between the email address and the telephone number. */
    or: 'or',
  },
  home: 'Back to the start',
});
