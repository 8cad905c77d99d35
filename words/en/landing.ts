/** The words of the landing page in English. The leaflet shares some of them. */
import { withArticle } from '#contract/with-article.ts';
import type { Facts, Site } from '#site.config.ts';

export type LandingWords = ReturnType<typeof landing>;

export const landing = (site: Site, _facts: Facts) => ({
  skip: 'Skip to main content',
  newTab: '(opens in new tab)',
  join: 'Join the Drive',
  hero: {
    audience: 'For families living with spinal muscular atrophy (SMA)',
    headline: ['Many records.', 'One road forward.'],
    purpose: `${withArticle(site.productName, 'The')} is a nationwide patient data initiative. Link your health records from different providers in one private space. See gaps in your care. Share data for research, if you choose.`,
    signUp: `You sign up with ${site.partnerName}, our partner.`,
  },
  problem: {
    title: 'The SMA journey is improving, but not fast enough',
    intro:
      'New treatments have changed what is possible. Daily life still asks a lot of families. Three things slow us all down.',
    items: [
      {
        title: 'Fragmented care',
        text: 'Your neurologist, lung doctor, therapist and school each keep their own notes. No one sees the whole picture, so you carry it from door to door.',
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
    title: 'Shared data changed cystic fibrosis',
    text: 'People with cystic fibrosis (CF) began to share their data in one registry in 1966. Clinics could compare what worked, and learned from each other. Better care and new drugs followed.',
    withCf: 'Life expectancy with CF: a forecast for babies born now',
    withCfFigure: 'over 65 years',
    everyone: 'Life expectancy of everyone in the US',
    everyoneFigure: 'about 78 years',
    sources:
      'Sources: Cystic Fibrosis Foundation Patient Registry; Centers for Disease Control and Prevention, 2023.',
  },
  howItWorks: {
    title: 'How It Works',
    intro: 'Three steps. You set the pace, and you can stop at any point.',
    steps: {
      connect: {
        title: 'Connect your records',
        text: 'Choose your hospitals, clinics and labs. Their records come together in your private space.',
      },
      insight: {
        title: 'Get personalized insights',
        text: 'See what your records say as a whole. Spot gaps in your care, and studies that may fit you.',
      },
      research: {
        title: 'Drive research forward',
        text: 'Choose to share your data with research. What you live with every day helps to answer questions for everyone.',
      },
    },
    film: {
      title: 'See it in one minute',
      text: 'A short, calm film with captions and no sound. The words are here to read as well.',
      read: 'Read the film',
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
        text: 'Plain notes on care you may be missing, with questions to take to your doctor.',
      },
      {
        title: 'Research impact',
        text: 'Your data, joined with that of others, helps researchers ask better questions and find answers sooner.',
      },
    ],
  },
  privacy: {
    title: 'Your Data Stays in Your Hands',
    items: [
      {
        title: 'Compliant',
        text: 'The service follows the laws that protect health information.',
      },
      {
        title: 'Encrypted',
        text: 'Your data is encrypted in transit and at rest. It is scrambled on its way, and where it is stored.',
      },
      {
        title: 'In your control',
        text: 'You decide which records to link and what to share. You can change your mind.',
      },
      { title: 'Yours to delete', text: 'You can delete your account at any time.' },
    ],
    poweredBy: `Powered by ${site.partnerName}, a health insights platform operating since 2017.`,
    counting: 'See what this page counts',
  },
  impact: {
    title: 'What One Shared Story Can Do',
    label: 'Sample story',
    stories: [
      {
        quote:
          'I used to bring three folders to every visit. Now I bring one screen, and we start with how I am.',
        person: 'A patient, 29, who drives a power chair',
      },
      {
        quote:
          'When the whole record is in one place, I search less and listen more. And each family that shares helps the next child.',
        person: 'A pediatric neurologist',
      },
    ],
  },
  closing: { title: 'Ready to Drive Change?', intro: 'It starts with one record: yours.' },
  footer: {
    label: 'On this page',
    about: 'About',
    howItWorks: 'How It Works',
    benefits: 'Benefits',
    register: 'Register',
    privacyPolicy: 'Privacy policy',
    terms: 'Terms',
    whatWeCount: 'What we count, and who learns it',
    font: 'Set in Atkinson Hyperlegible, which the Braille Institute drew for readers with low vision.',
    copyright: `© 2025 ${site.productName}`,
  },
  home: 'Back to the start',
});
