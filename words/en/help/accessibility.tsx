/** The words of /help/accessibility/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';
import { Contact } from './contact.tsx';

export const accessibility = (site: Site, facts: Facts) =>
  ({
    title: 'Can everyone use this site?',
    lead: 'We test this site so that people with little strength, sight or time can use it. Here is how we test, and what does not work yet.',
    sections: {
      aim: {
        heading: 'The standard',
        body: (
          <>
            <p>
              We aim at the Web Content Accessibility Guidelines (WCAG) 2.2. They are the world’s
              main rules for sites that everyone can use. Our aim is level AA, the second of 3
              levels. We also aim at these rules of level AAA, the strictest:
            </p>
            <ul>
              <li>
                <b>To see and read:</b> strong contrast, short lines, a heading for each part, plain
                words, and abbreviations spelled out.
              </li>
              <li>
                <b>To press and move:</b> a keyboard is enough, and targets are large. The mark that
                shows where you are is easy to see.
              </li>
              <li>
                <b>To stay calm:</b> no time limits, and no motion if you turn it off. Links say
                where they lead, and no new tab opens without a notice.
              </li>
            </ul>
          </>
        ),
      },
      tested: {
        heading: 'How we test',
        body: (
          <>
            <p>
              A computer runs our tests on each new version. In Chromium, on which Chrome is built,
              they check:
            </p>
            <ul>
              <li>the rules of axe, a test tool, in light and dark, on narrow and wide screens</li>
              <li>every stop with the keyboard alone, and the mark that shows where you are</li>
              <li>the size and the distance of all that you can press</li>
              <li>pages at 4 times their size, text at 2 times, and more space in the text</li>
              <li>less motion, more contrast, and colors that you choose yourself</li>
              <li>pages without JavaScript, and pages on paper</li>
              <li>reading level, names and headings</li>
            </ul>
            <p>A shorter set runs in Firefox and in WebKit, on which Safari is built.</p>
          </>
        ),
      },
      untested: {
        heading: 'What we have not tested',
        body: (
          <>
            <p>Machines cannot find every problem. These tests are still missing:</p>
            <ul>
              <li>with real screen readers, which read pages aloud</li>
              <li>with real switches, eye trackers and voice control</li>
              <li>with people who have spinal muscular atrophy (SMA) or another disability</li>
              <li>with an outside expert</li>
              <li>with people who have a learning disability, for the easy read page</li>
              {!facts.translationReviewer && <li>with native speakers, for the Spanish pages</li>}
            </ul>
          </>
        ),
      },
      limits: {
        heading: 'What does not work',
        body: (
          <ul>
            <li>
              <b>The film</b> has no spoken description. It is silent and has captions. You can also{' '}
              <a href="/help/film/">read its words and pictures</a>.
            </li>
            <li>
              <b>Older browsers</b> show every word, but a plainer look. The full look needs Safari
              16.4, Chrome 111 or Firefox 128.
            </li>
            <li>
              <b>Without JavaScript</b> you can read every page, play the film and use the button.
              The button that turns counting off needs JavaScript.
            </li>
            <li>
              <b>The sign-up pages</b> belong to {site.partnerName}, our partner. We have not tested
              them.
            </li>
          </ul>
        ),
      },
      contact: {
        heading: 'Tell us what is hard',
        body: (
          <>
            <Contact site={site} facts={facts} />
            <p>
              Name the page, and the device or tool that you use. You can also ask for the text by
              email.
            </p>
            <p>This statement is from November 22, 2026.</p>
          </>
        ),
      },
    },
  }) satisfies HelpWords;
