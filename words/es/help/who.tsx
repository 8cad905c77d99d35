/** The words of /help/who/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import { confirmedLaw } from '../../confirmed-law.ts';
import type { who as english } from '../../en/help/who.tsx';
import { Contact } from './contact.tsx';

export const who = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Quién está detrás de este sitio',
  lead: `${facts.operator ? `${facts.operator} está a cargo de este sitio. ` : ''}${site.partnerName}, nuestro socio, guarda las cuentas y los expedientes. Este sitio le informa y le lleva hasta allí.`,
  sections: {
    operator: facts.operator
      ? {
          heading: 'Quién está a cargo de este sitio',
          body: (
            <>
              <p>{facts.operator}</p>
              {facts.operatorAddress && <p>{facts.operatorAddress}</p>}
            </>
          ),
        }
      : null,
    site: {
      heading: 'Qué hace este sitio',
      body: (
        <p>
          Da información y tiene un botón que abre el sitio de {site.partnerName}.
          {site.registerForm && ' Su formulario nos envía su nombre y su correo electrónico.'} Nunca
          recibe sus expedientes. <a href="/es/help/privacy/">Qué guarda este sitio</a>
        </p>
      ),
    },
    partner: { heading: 'Qué hace nuestro socio', body: <Partner site={site} facts={facts} /> },
    funding: facts.funder
      ? { heading: 'Quién paga', body: <p>El dinero viene de {facts.funder}.</p> }
      : null,
    oversight: facts.oversight
      ? {
          heading: 'Quién lo supervisa',
          body: (
            <p>
              {facts.oversight}. Un comité de ética revisa que la investigación trate bien a las
              personas. En EE. UU. se llama IRB, por sus siglas en inglés.
            </p>
          ),
        }
      : null,
    contact: { heading: 'Pregúntenos', body: <Contact site={site} facts={facts} /> },
  },
});

const Partner = ({ site, facts }: { site: Site; facts: Facts }) => {
  const confirmed = confirmedLaw(facts);
  return (
    <>
      <p>
        {site.partnerName} es una plataforma de información de salud. Le da notas claras sobre lo
        que dicen sus expedientes en conjunto. {site.partnerName} funciona desde 2017.
      </p>
      <ul>
        <li>Abre y mantiene su cuenta.</li>
        <li>Reúne sus expedientes en un espacio privado.</li>
        <li>Los cifra, es decir, los cambia para que nadie los lea sin la clave.</li>
      </ul>
      {confirmed && (
        <p>
          El servicio cumple una ley que protege los datos de salud: {confirmed.law}. Confirmado por{' '}
          {confirmed.confirmedBy}.
        </p>
      )}
      <p>
        Si abre una cuenta, acepta su <a href={site.privacyUrl}>política de privacidad</a> y sus{' '}
        <a href={site.termsUrl}>términos</a>. Léalos antes.
      </p>
    </>
  );
};
