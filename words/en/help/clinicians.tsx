/** The words of /help/clinicians/ in English. Each source was looked up; docs/writing.md lists them. */
import { withArticle } from '#contract/with-article.ts';
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const clinicians = (site: Site, facts: Facts) =>
  ({
    title: 'For clinicians',
    lead: `Tell people with spinal muscular atrophy (SMA) that ${withArticle(site.productName)} exists. Then let them decide. We send no patient data to your clinic.`,
    sections: {
      what: {
        heading: 'What it is',
        body: (
          <>
            <p>
              A person with SMA brings health records from many clinics into one private space. Our
              partner {site.partnerName} keeps that space.
            </p>
            <ul>
              <li>The person sees the records side by side, and can spot gaps in care.</li>
              <li>The person may share data for research. Sharing is a separate choice.</li>
              <li>We ask your clinic for no data.</li>
            </ul>
          </>
        ),
      },
      evidence: {
        heading: 'What studies show',
        body: (
          <>
            <p>
              A registry is a list of people with one condition, with facts about their health and
              care. Registries have shown this:
            </p>
            <ul>
              <li>
                US clinics have pooled data on cystic fibrosis (CF) in one registry since 1966. They
                use it to compare results and to improve care.{' '}
                <a href="https://qualitysafety.bmj.com/content/23/Suppl_1/i9">
                  Schechter and others, 2014
                </a>
              </li>
              <li>
                TREAT-NMD is a network for nerve and muscle conditions. Its registries joined data
                on 5,068 people with SMA in 25 countries. Care was not the same, even in countries
                that are alike.{' '}
                <a href="https://doi.org/10.1007/s00415-013-7154-1">Bladen and others, 2014</a>
              </li>
            </ul>
          </>
        ),
      },
      unknown: {
        heading: 'What is not known',
        body: (
          <ul>
            <li>No study has tested this initiative yet.</li>
            <li>
              Shared records are not a trial. They cannot show on their own that a treatment works.
            </li>
            <li>People who join may differ from people who do not.</li>
            <li>
              A review of 37 papers on rare disease registries found a gap. Only about half of them
              said how they check their data.{' '}
              <a href="https://doi.org/10.1186/s13023-023-02719-0">Hageman and others, 2023</a>
            </li>
          </ul>
        ),
      },
      consent: {
        heading: 'Consent',
        body: (
          <>
            <p>
              Consent means that a person knows what will happen, and says yes freely. Before people
              share, they ask who gets which data, for how long, and who profits. A review of 135
              studies found this:{' '}
              <a href="https://www.jmir.org/2024/1/e50421">Baines and others, 2024</a>.
            </p>
            <ul>
              <li>
                Give people time. The <a href="/help/questions/">questions and answers</a> are
                written for them.
              </li>
              <li>Say that their care stays the same if they say no.</li>
              <li>Do not sign anyone else up. Each person or guardian decides.</li>
            </ul>
            {facts.oversight && <p>Ethics review: {facts.oversight}.</p>}
          </>
        ),
      },
      burden: {
        heading: 'The load on families',
        body: (
          <>
            <p>
              In 1 US study, 96 people with SMA, parents and clinicians told of stress, lost sleep
              and money worries.{' '}
              <a href="https://pmc.ncbi.nlm.nih.gov/articles/PMC4619513">Qian and others, 2015</a>.
              One more task can be too much.
            </p>
            <ul>
              <li>Mention it once. Do not bring it up at a hard visit.</li>
              <li>Give the page on paper, to read at home.</li>
              <li>
                Point to the <a href="/help/easy/">easy read</a> page and to{' '}
                <a href="/es/help/">the Spanish pages</a>.
              </li>
            </ul>
            {facts.signUpMinutes && (
              <p>It takes about {facts.signUpMinutes} minutes to create an account.</p>
            )}
          </>
        ),
      },
      refer: {
        heading: 'How to refer',
        body: (
          <ol>
            <li>
              Write to <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>. Ask for a
              link for your clinic.
            </li>
            <li>
              You get a short link, a QR code, and a leaflet of 1 page. A QR code is a square that a
              phone can read. Print the leaflet in English or Spanish.
            </li>
            <li>Scan the printed code once, to see that it works.</li>
            <li>Give the leaflet to people. They open the page and decide.</li>
          </ol>
        ),
      },
      code: {
        heading: 'What the link tells',
        body: (
          <>
            <p>
              The link has a code that stands for your clinic, such as <code>ref=clinic-7</code>.
              Our counts and the sign-up link carry the code. So {site.partnerName} learns which
              clinic gave the link.{' '}
            </p>
            <p>Never use a code for one person.</p>
          </>
        ),
      },
      limits: {
        heading: 'What we do not do',
        body: (
          <ul>
            <li>We give no medical advice. You and the person decide on care.</li>
            <li>We send you no results. People can show you theirs if they choose.</li>
            <li>We do not tell you who joined.</li>
            <li>We do not replace your records, or other registries.</li>
          </ul>
        ),
      },
    },
  }) satisfies HelpWords;
