import type { Facts, Site } from '#site.config.ts';

/** The ways to ask a person, in Spanish. */
export const Contact = ({ site, facts }: { site: Site; facts: Facts }) => (
  <>
    <p>
      Correo: <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
    </p>
    {facts.phone && (
      <p>
        Teléfono: <a href={`tel:${facts.phone.replace(/[^\d+]/g, '')}`}>{facts.phone}</a>
      </p>
    )}
  </>
);
