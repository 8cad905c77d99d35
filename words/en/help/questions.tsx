/** The words of /help/questions/ in English. */
import { countryName } from '#contract/country-name.ts';
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';
import { recordingSummary } from '../counting.ts';

export const questions = (site: Site, facts: Facts) =>
  ({
    title: '12 questions and answers',
    lead: `These are the questions that families ask first. Where only ${site.partnerName} can answer, we show you where to look.`,
    contents: [
      { section: 'eligibility', text: 'Joining' },
      { section: 'access', text: 'Your data' },
      { section: 'advice', text: 'Advice and other registries' },
    ],
    sections: {
      ...peopleAndMoney(site, facts),
      ...joining(site, facts),
      ...yourData(site, facts),
      ...adviceAndRegistries(site),
    },
  }) satisfies HelpWords;

const mailLink = ({ contactEmail }: Site) => <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;

const peopleAndMoney = (site: Site, facts: Facts) => ({
  who: {
    heading: 'Who is behind this?',
    body: (
      <>
        {facts.operator && <p>{facts.operator} runs this site.</p>}
        <p>
          {site.partnerName} is our partner. It keeps the accounts and the records. It is a health
          insights platform and has operated since 2017.
        </p>
        <p>
          {!facts.operator && 'Ask us which organization runs this site. '}Write to us:{' '}
          {mailLink(site)}
        </p>
      </>
    ),
  },
  funding: {
    heading: 'Who pays for this?',
    body: (
      <>
        {facts.funder ? (
          <p>The money comes from {facts.funder}.</p>
        ) : (
          <p>To learn who pays, write to us: {mailLink(site)}</p>
        )}
        <p>
          Can {site.partnerName} earn money with data? Look in its terms before you agree. The link
          is at the end of this page.
        </p>
      </>
    ),
  },
  cost: {
    heading: 'What does it cost?',
    body:
      facts.cost === 'free' ? (
        <p>Joining is free. This site never asks for a card number.</p>
      ) : (
        <p>
          This site costs nothing and never asks for a card number. To learn if the account costs
          anything, read the terms of {site.partnerName} first.
        </p>
      ),
  },
});

const joining = (site: Site, facts: Facts) => ({
  eligibility: {
    heading: 'Who can join?',
    body: (
      <>
        <p>
          People with spinal muscular atrophy (SMA) and their families. This site is not limited to
          one type of SMA.
        </p>
        <Eligibility site={site} facts={facts} />
      </>
    ),
  },
  next: {
    heading: 'What happens after I press the button?',
    body: (
      <>
        <ol>
          <li>
            A new tab opens with the site of {site.partnerName}
            {site.portalHost && `: ${site.portalHost}`}
          </li>
          <li>You create your account there.</li>
          <li>You choose which records to link.</li>
          <li>You choose whether to share data with research.</li>
        </ol>
        <p>
          {facts.signUpMinutes !== null &&
            `Creating an account takes about ${facts.signUpMinutes} minutes. `}
          You can stop at any point. <a href="/help/next/">See each step</a>
        </p>
      </>
    ),
  },
  clinics: {
    heading: 'Which clinics can I link?',
    body: facts.clinicsUrl ? (
      <p>
        {site.partnerName} keeps a{' '}
        <a href={facts.clinicsUrl}>list of hospitals, clinics and labs</a>. Look there for yours
        before you join.
      </p>
    ) : (
      <p>
        We have no list to show you yet. Before you join, ask us about your hospitals, clinics and
        labs: {mailLink(site)}
      </p>
    ),
  },
});

/** The rules that are known, and what to ask about the others. */
function Eligibility({ site, facts }: { site: Site; facts: Facts }) {
  const known = [
    facts.minAge !== null && `You can join on your own from age ${facts.minAge}.`,
    facts.guardians === true &&
      'A parent or guardian can join for a child, or for another person who cannot join alone.',
    facts.guardians === false &&
      'A parent or guardian cannot join for a child or another person yet.',
    facts.country && `Country: ${countryName(facts.country, 'en')}.`,
  ].filter((rule) => typeof rule === 'string');
  const open = [
    facts.minAge === null && 'ages',
    facts.guardians === null && 'parents and guardians',
    facts.country === null && 'countries',
  ].filter((rule) => typeof rule === 'string');
  return (
    <>
      {known.length > 0 && (
        <ul>
          {known.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <p>
          Ask us about {new Intl.ListFormat('en').format(open)} before you start: {mailLink(site)}
        </p>
      )}
    </>
  );
}

const yourData = (site: Site, facts: Facts) => ({
  access: {
    heading: 'Who can see my data?',
    body: (
      <>
        <p>
          Your records are in your private space at {site.partnerName}. They are encrypted on their
          way and where they are stored. Encrypted means scrambled for everyone without the key.
        </p>
        <p>
          This site never gets your records. {recordingSummary(site)}{' '}
          <a href="/help/privacy/">What this site records</a>
        </p>
        {site.registerForm && (
          <p>
            The form on this site sends us your name, your email address and, if you like, your SMA
            type.
          </p>
        )}
        <p>
          Which staff and researchers can see what, and for how long? Look in the privacy policy of{' '}
          {site.partnerName}. The link is at the end of this page.
        </p>
      </>
    ),
  },
  choice: {
    heading: 'Do I have to share?',
    body: (
      <p>
        No. You can bring your records together for yourself alone. Sharing data with research is a
        choice of its own, and you can change your mind.
      </p>
    ),
  },
  insurers: {
    heading: 'What about insurers and employers?',
    body: (
      <>
        <p>
          This site sends nothing to insurers or employers. Look in the privacy policy of{' '}
          {site.partnerName} for who gets data from there. The link is at the end of this page.
        </p>
        {facts.country === 'US' && <LawInTheUs />}
      </>
    ),
  },
  leaving: {
    heading: 'How can I leave, and what remains?',
    body: (
      <>
        <p>
          You can delete your account at {site.partnerName} at any time. Research that has already
          used your data often cannot be undone.
        </p>
        <p>
          What happens to copies? Look in the privacy policy of {site.partnerName} before you share.
          The link is at the end of this page.
        </p>
      </>
    ),
  },
});

/** Shown only if the initiative is for people in the US. */
const LawInTheUs = () => (
  <>
    <p>
      In the US, a law called GINA protects genetic information, such as test results. Health
      insurers may not use it, nor may employers with 15 or more workers. The law does not cover
      life, disability or long-term care insurance. It does not cover a condition that you already
      have.{' '}
      <a href="https://www.genome.gov/about-genomics/policy-issues/Genetic-Discrimination">
        National Human Genome Research Institute
      </a>
    </p>
    <p>
      Health insurers cannot charge you more for a condition that you already have. Some old plans
      are an exception.{' '}
      <a href="https://www.healthcare.gov/glossary/pre-existing-condition/">HealthCare.gov</a>
    </p>
  </>
);

const adviceAndRegistries = (site: Site) => ({
  advice: {
    heading: 'Is this medical advice?',
    body: (
      <p>
        No. Insights can miss things, because a record can be missing. Take them to your care team.
        They decide with you. Do not start or stop a treatment because of an insight alone.
      </p>
    ),
  },
  registries: {
    heading: 'I am in another registry. What changes?',
    body: (
      <>
        <p>
          A registry collects data about people with one condition. Others for SMA exist, such as
          those of{' '}
          <a href="https://www.curesma.org/sma-care-center-network/">Cure SMA’s care centers</a> and
          of <a href="https://www.treat-nmd.org.uk/registry/general/index.en.html">TREAT-NMD</a>.
          TREAT-NMD is a network for nerve and muscle conditions.
        </p>
        <p>
          Pressing the button here changes nothing there. Ask {site.partnerName} if it shares data
          with a registry that you are in.
        </p>
      </>
    ),
  },
});
