/** The words of /help/who/ in English. */
import type { Facts, Site } from '#site.config.ts';
import { confirmedLaw } from '../../confirmed-law.ts';
import type { HelpWords } from '../../help.ts';
import { Contact } from './contact.tsx';

export const who = (site: Site, facts: Facts) =>
  ({
    title: 'Who is behind this',
    lead: `${facts.operator ? `${facts.operator} runs this site. ` : ''}${site.partnerName}, our partner, keeps the accounts and the records. This site tells you about it and leads you there.`,
    sections: {
      operator: facts.operator
        ? {
            heading: 'Who runs this site',
            body: (
              <>
                <p>{facts.operator}</p>
                {facts.operatorAddress && <p>{facts.operatorAddress}</p>}
              </>
            ),
          }
        : null,
      site: {
        heading: 'What this site does',
        body: (
          <p>
            It gives information and has a button that opens the site of {site.partnerName}.
            {site.registerForm && ' Its form sends us your name and your email address.'} It never
            gets your records. <a href="/help/privacy/">What this site records</a>
          </p>
        ),
      },
      partner: { heading: 'What our partner does', body: <Partner site={site} facts={facts} /> },
      funding: facts.funder
        ? { heading: 'Who pays', body: <p>The money comes from {facts.funder}.</p> }
        : null,
      oversight: facts.oversight
        ? {
            heading: 'Who oversees it',
            body: (
              <p>
                {facts.oversight}. An ethics committee checks that research treats people fairly. In
                the US it is called an institutional review board (IRB).
              </p>
            ),
          }
        : null,
      contact: { heading: 'Ask us', body: <Contact site={site} facts={facts} /> },
    },
  }) satisfies HelpWords;

const Partner = ({ site, facts }: { site: Site; facts: Facts }) => {
  const confirmed = confirmedLaw(facts);
  return (
    <>
      <p>
        {site.partnerName} is a health insights platform. Insights are plain notes about what your
        records say together. {site.partnerName} has operated since 2017.
      </p>
      <ul>
        <li>It opens and keeps your account.</li>
        <li>It brings your records together in a private space.</li>
        <li>It encrypts them, which means that it scrambles them for everyone without the key.</li>
      </ul>
      {confirmed && (
        <p>
          The service follows a law that protects health data: {confirmed.law}. Confirmed by{' '}
          {confirmed.confirmedBy}.
        </p>
      )}
      <p>
        Its <a href={site.privacyUrl}>privacy policy</a> and its <a href={site.termsUrl}>terms</a>{' '}
        are what you agree to. Read them first.
      </p>
    </>
  );
};
