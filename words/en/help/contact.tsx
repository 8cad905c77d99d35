import { telephoneUrl } from '#contract/telephone-url.ts';
import type { Facts, Site } from '#site.config.ts';

/** The ways to ask a person, in English. */
export const Contact = ({ site, facts }: { site: Site; facts: Facts }) => (
  <>
    <p>
      Email: <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
    </p>
    {facts.phone && (
      <p>
        Phone: <a href={telephoneUrl(facts.phone)}>{facts.phone}</a>
      </p>
    )}
  </>
);
