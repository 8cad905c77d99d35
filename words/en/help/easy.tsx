/**
 * The words of /help/easy/ in English. Each block has one idea and one drawing; a sentence has at most twelve words
 * (tests/pages/health-writing.test.ts).
 */
import type { ReactNode } from 'react';
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export interface EasyBlock {
  /** Name of a drawing in components/drawings/files. */
  drawing: HelpDrawing;
  heading: string;
  /** What to do, in order. */
  steps?: string[];
  /** One sentence or two each. */
  lines: ReactNode[];
}

export type HelpDrawing =
  | 'together'
  | 'records'
  | 'connect'
  | 'mount'
  | 'study'
  | 'choice'
  | 'key'
  | 'phone'
  | 'stop'
  | 'door'
  | 'clinic'
  | 'letter';

export const easy = (site: Site, facts: Facts) =>
  ({
    title: 'Easy read',
    lead: 'You can put your health records in one place. You choose.',
    blocks: [
      {
        drawing: 'together',
        heading: 'Who is this for?',
        lines: [
          'Some people have spinal muscular atrophy (SMA).',
          'SMA makes muscles weak.',
          'This page is for them and their families.',
        ],
      },
      {
        drawing: 'records',
        heading: 'What are health records?',
        lines: [
          'Health records are notes about your health.',
          'Each doctor and each clinic keeps some notes.',
          'So your notes are in many places.',
        ],
      },
      {
        drawing: 'connect',
        heading: 'What is this?',
        lines: [
          `It is called ${site.productName}.`,
          'With it, you can bring your notes together in one private place.',
          `The place is at ${site.partnerName}, not on this site.`,
        ],
      },
      {
        drawing: 'mount',
        heading: 'What can you see?',
        lines: [
          'You can read your notes.',
          'You may see that a test or a visit is missing.',
          'Then you can ask your doctor about it.',
        ],
      },
      {
        drawing: 'study',
        heading: 'What is research?',
        lines: [
          'In research, people look for new answers.',
          'They want to learn more about SMA.',
          'Your notes can help them.',
        ],
      },
      {
        drawing: 'choice',
        heading: 'Do you have to share?',
        lines: [
          'No. You choose.',
          'To share is to let other people use your notes.',
          'You can say yes. You can say no.',
          'You can have an account and still say no.',
        ],
      },
      {
        drawing: 'key',
        heading: 'Who keeps your notes?',
        lines: [
          `${site.partnerName} keeps your notes.`,
          'It is our partner. That means we work together.',
          'Your notes are scrambled for everyone without the key.',
        ],
      },
      {
        drawing: 'phone',
        heading: 'How do you join?',
        steps: [
          'Press the button at the end of this page.',
          `A new page opens. It is from ${site.partnerName}.`,
          'You make an account there. An account is your own space.',
        ],
        lines: [
          ...(facts.cost === 'free' ? ['You do not pay for it.'] : []),
          ...(facts.minAge === null ? [] : [`To join alone you must be ${facts.minAge} or older.`]),
        ],
      },
      {
        drawing: 'stop',
        heading: 'Can you stop?',
        lines: [
          'Yes. You can stop at any time.',
          'You can delete your account.',
          'Notes that a study has already used may stay there.',
        ],
      },
      {
        drawing: 'clinic',
        heading: 'Is it a doctor?',
        lines: [
          'No. We are not doctors.',
          'We do not tell you what to do.',
          'Ask your doctor before you change anything.',
          'If you feel very ill, call for help at once.',
        ],
      },
      {
        drawing: 'letter',
        heading: 'Do you have questions?',
        lines: [
          'Ask someone you trust to read this with you.',
          <>
            Or write to us: <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
          </>,
        ],
      },
    ],
  }) satisfies HelpWords & { blocks: EasyBlock[] };
