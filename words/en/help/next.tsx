/** The words of /help/next/ in English. */
import type { Facts, Site } from '#site.config.ts';
import type { HelpWords } from '../../help.ts';

export const next = (site: Site, facts: Facts) =>
  ({
    title: 'What happens after the button',
    lead: `The button opens ${site.partnerName} in a new tab. You create an account, link your records, and decide about research. You can stop at any point.`,
    sections: { ...beforeYouStart(site), ...steps(site, facts), ...leaving(site) },
  }) satisfies HelpWords;

const beforeYouStart = (site: Site) => ({
  prepare: {
    heading: 'What to have at hand',
    body: (
      <>
        <p>{site.partnerName} decides what it asks for. These things can help:</p>
        <ul>
          <li>An email account that you can open now.</li>
          <li>The names of your hospitals, clinics and labs.</li>
          <li>
            Your sign-in for their patient portals, if you have any. A patient portal is a website
            where a clinic shows you your records.
          </li>
          <li>A person you trust, if typing or reading tires you.</li>
        </ul>
      </>
    ),
  },
});

const steps = (site: Site, facts: Facts) => ({
  account: {
    heading: 'First: create an account',
    body: (
      <>
        <p>
          A new tab opens{site.portalHost && ` at ${site.portalHost}`}. This page stays open in its
          own tab.
          {facts.signUpMinutes !== null && `  This takes about ${facts.signUpMinutes} minutes.`}
        </p>
        <p>
          The link has our invitation code, so {site.partnerName} knows that you come from us. A
          person or clinic may have sent you a link with a code of its own. We pass that code on
          too.
        </p>
        <p>
          Before you agree, read the <a href={site.privacyUrl}>privacy policy</a> and the{' '}
          <a href={site.termsUrl}>terms</a>.
        </p>
      </>
    ),
  },
  records: {
    heading: 'Step 1: Link your records',
    body: (
      <p>
        You choose your hospitals, clinics and labs. Their records come together in your private
        space. You decide which of them to link.
        {facts.clinicsUrl && (
          <>
            {' '}
            <a href={facts.clinicsUrl}>Hospitals, clinics and labs that can be linked</a>
          </>
        )}
      </p>
    ),
  },
  insights: {
    heading: 'Step 2: See your insights',
    body: (
      <p>
        You see what your records say together. You may find gaps in your care, and studies that may
        fit you. It is not medical advice. Your care team decides with you.
      </p>
    ),
  },
  research: {
    heading: 'Step 3: Decide about research',
    body: (
      <p>
        You choose whether to share data with research. You can say no, and you can change your
        mind. There is no need to decide on the first day.
      </p>
    ),
  },
});

const leaving = (site: Site) => ({
  stop: {
    heading: 'Pause, stop or leave',
    body: (
      <>
        <p>
          Close the tab whenever you are tired. You can delete your account at {site.partnerName} at
          any time.
        </p>
        <p>
          Read first <a href="/help/questions/#leaving">how to leave, and what remains</a>.
        </p>
      </>
    ),
  },
});
