/** The words of /help/next/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { next as english } from '../../en/help/next.tsx';

type Sections = ReturnType<typeof english>['sections'];

export const next = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Qué pasa después del botón',
  lead: `El botón abre ${site.partnerName} en otra pestaña. Usted crea una cuenta, reúne sus expedientes y decide sobre la investigación. Puede parar cuando quiera.`,
  sections: { ...beforeYouStart(site), ...steps(site, facts), ...leaving(site) },
});

const beforeYouStart = (site: Site): Pick<Sections, 'prepare'> => ({
  prepare: {
    heading: 'Qué conviene tener a mano',
    body: (
      <>
        <p>{site.partnerName} decide qué le pide. Esto puede ayudar:</p>
        <ul>
          <li>Una cuenta de correo que pueda abrir ahora.</li>
          <li>Los nombres de sus hospitales, clínicas y laboratorios.</li>
          <li>
            Su clave para los portales de pacientes, si la tiene. Un portal de pacientes es un sitio
            web donde una clínica le muestra sus expedientes.
          </li>
          <li>Una persona de confianza, si le cansa escribir o leer.</li>
        </ul>
      </>
    ),
  },
});

const steps = (
  site: Site,
  facts: Facts,
): Pick<Sections, 'account' | 'records' | 'insights' | 'research'> => ({
  account: {
    heading: 'Primero: cree una cuenta',
    body: (
      <>
        <p>
          Se abre otra pestaña{site.portalHost && ` en ${site.portalHost}`}. Esta página sigue
          abierta.
          {facts.signUpMinutes !== null && `  Esto toma unos ${facts.signUpMinutes} minutos.`}
        </p>
        <p>
          El enlace lleva nuestro código de invitación. Así {site.partnerName} sabe que usted viene
          de aquí. Tal vez una persona o una clínica le envió un enlace con su propio código. Ese
          código también va en el enlace.
        </p>
        <p>
          Antes de aceptar, lea la <a href={site.privacyUrl}>política de privacidad</a> y los{' '}
          <a href={site.termsUrl}>términos</a>.
        </p>
      </>
    ),
  },
  records: {
    heading: 'Paso 1: reúna sus expedientes',
    body: (
      <p>
        Elija sus hospitales, clínicas y laboratorios. Sus expedientes se juntan en su espacio
        privado. Usted decide cuáles.
        {facts.clinicsUrl && (
          <>
            {' '}
            <a href={facts.clinicsUrl}>Hospitales, clínicas y laboratorios disponibles</a>
          </>
        )}
      </p>
    ),
  },
  insights: {
    heading: 'Paso 2: vea su información',
    body: (
      <p>
        Vea qué dicen sus expedientes en conjunto. Quizá descubra qué puede faltar en su atención, y
        qué estudios podrían servirle. No es consejo médico. Su equipo de salud decide con usted.
      </p>
    ),
  },
  research: {
    heading: 'Paso 3: decida sobre la investigación',
    body: (
      <p>
        Usted elige si comparte datos para la investigación. Puede decir que no, y puede cambiar de
        opinión. No hace falta decidirlo el primer día.
      </p>
    ),
  },
});

const leaving = (site: Site): Pick<Sections, 'stop'> => ({
  stop: {
    heading: 'Hacer una pausa, parar o salir',
    body: (
      <>
        <p>
          Cierre la pestaña cuando se canse. Puede borrar su cuenta en {site.partnerName} en
          cualquier momento.
        </p>
        <p>
          Lea antes <a href="/es/help/questions/#leaving">cómo salir y qué queda</a>.
        </p>
      </>
    ),
  },
});
