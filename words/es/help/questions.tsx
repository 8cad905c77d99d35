/** The words of /help/questions/ in Spanish. */
import { countryName } from '#contract/country-name.ts';
import type { Facts, Site } from '#site.config.ts';
import type { questions as english } from '../../en/help/questions.tsx';
import { recordingSummary } from '../counting.ts';

type Sections = ReturnType<typeof english>['sections'];

export const questions = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: '12 preguntas y respuestas',
  lead: `Estas son las primeras preguntas de las familias. Cuando solo ${site.partnerName} puede responder, le decimos dónde mirar.`,
  contents: [
    { section: 'eligibility', text: 'Participar' },
    { section: 'access', text: 'Sus datos' },
    { section: 'advice', text: 'Consejo médico y registros de pacientes' },
  ],
  sections: {
    ...peopleAndMoney(site, facts),
    ...joining(site, facts),
    ...yourData(site, facts),
    ...adviceAndRegistries(site),
  },
});

const mailLink = ({ contactEmail }: Site) => <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;

const peopleAndMoney = (site: Site, facts: Facts): Pick<Sections, 'who' | 'funding' | 'cost'> => ({
  who: {
    heading: '¿Quién está detrás de esto?',
    body: (
      <>
        {facts.operator && <p>{facts.operator} está a cargo de este sitio.</p>}
        <p>
          {site.partnerName} es nuestro socio. Guarda las cuentas y los expedientes. Es una
          plataforma de información de salud que funciona desde 2017.
        </p>
        <p>
          {!facts.operator && 'Pregúntenos qué organización está a cargo de este sitio. '}
          Escríbanos: {mailLink(site)}
        </p>
      </>
    ),
  },
  funding: {
    heading: '¿Quién paga esto?',
    body: (
      <>
        {facts.funder ? (
          <p>El dinero viene de {facts.funder}.</p>
        ) : (
          <p>Para saber quién paga, escríbanos: {mailLink(site)}</p>
        )}
        <p>
          ¿Puede {site.partnerName} ganar dinero con los datos? Mire sus términos antes de aceptar.
          El enlace está al final de esta página.
        </p>
      </>
    ),
  },
  cost: {
    heading: '¿Cuánto cuesta?',
    body:
      facts.cost === 'free' ? (
        <p>Participar es gratis. Este sitio nunca pide un número de tarjeta.</p>
      ) : (
        <p>
          Este sitio no cuesta nada y nunca pide un número de tarjeta. Para saber si la cuenta
          cuesta algo, lea antes los términos de {site.partnerName}.
        </p>
      ),
  },
});

const joining = (site: Site, facts: Facts): Pick<Sections, 'eligibility' | 'next' | 'clinics'> => ({
  eligibility: {
    heading: '¿Quién puede participar?',
    body: (
      <>
        <p>
          Las personas con atrofia muscular espinal (AME) y sus familias. Este sitio no se limita a
          un tipo de AME.
        </p>
        <Eligibility site={site} facts={facts} />
      </>
    ),
  },
  next: {
    heading: '¿Qué pasa al pulsar el botón?',
    body: (
      <>
        <ol>
          <li>
            Se abre otra pestaña con el sitio de {site.partnerName}
            {site.portalHost && `: ${site.portalHost}`}
          </li>
          <li>Allí crea usted su cuenta.</li>
          <li>Elige qué expedientes quiere reunir.</li>
          <li>Elige si comparte datos para la investigación.</li>
        </ol>
        <p>
          {facts.signUpMinutes !== null &&
            `Crear la cuenta toma unos ${facts.signUpMinutes} minutos. `}
          Puede parar cuando quiera. <a href="/es/help/next/">Ver cada paso</a>
        </p>
      </>
    ),
  },
  clinics: {
    heading: '¿Qué clínicas puedo conectar?',
    body: facts.clinicsUrl ? (
      <p>
        {site.partnerName} tiene una{' '}
        <a href={facts.clinicsUrl}>lista de hospitales, clínicas y laboratorios</a>. Busque allí los
        suyos antes de participar.
      </p>
    ) : (
      <p>
        Todavía no tenemos una lista para mostrarle. Antes de participar, pregúntenos por sus
        hospitales, clínicas y laboratorios: {mailLink(site)}
      </p>
    ),
  },
});

/** The rules that are known, and what to ask about the others. */
function Eligibility({ site, facts }: { site: Site; facts: Facts }) {
  const known = [
    facts.minAge !== null && `Puede participar por su cuenta desde los ${facts.minAge} años.`,
    facts.guardians === true &&
      'Madres, padres o tutores pueden inscribir a un menor o a quien no puede hacerlo por su cuenta.',
    facts.guardians === false &&
      'Todavía no es posible que madres, padres o tutores inscriban a un menor o a otra persona.',
    facts.country && `País: ${countryName(facts.country, 'es')}.`,
  ].filter((rule) => typeof rule === 'string');
  const open = [
    facts.minAge === null && 'la edad mínima',
    facts.guardians === null && 'la inscripción por padres o tutores',
    facts.country === null && 'los países',
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
          Antes de empezar, pregúntenos por {new Intl.ListFormat('es').format(open)}:{' '}
          {mailLink(site)}
        </p>
      )}
    </>
  );
}

const yourData = (
  site: Site,
  facts: Facts,
): Pick<Sections, 'access' | 'choice' | 'insurers' | 'leaving'> => ({
  access: {
    heading: '¿Quién puede ver mis datos?',
    body: (
      <>
        <p>
          Sus expedientes están en su espacio privado en {site.partnerName}. Se cifran cuando viajan
          y donde se guardan. Cifrar es cambiar los datos para que nadie los lea sin la clave.
        </p>
        <p>
          Este sitio nunca recibe sus expedientes. {recordingSummary(site)}{' '}
          <a href="/es/help/privacy/">Qué guarda este sitio</a>
        </p>
        {site.registerForm && (
          <p>
            El formulario de este sitio nos envía su nombre, su correo electrónico y, si quiere, su
            tipo de AME.
          </p>
        )}
        <p>
          ¿Qué empleados e investigadores ven sus datos, y por cuánto tiempo? Mire la política de
          privacidad de {site.partnerName}. El enlace está al final de esta página.
        </p>
      </>
    ),
  },
  choice: {
    heading: '¿Tengo que compartir?',
    body: (
      <p>
        No. Puede reunir sus expedientes solo para usted. Compartir datos para la investigación es
        una decisión aparte, y puede cambiar de opinión.
      </p>
    ),
  },
  insurers: {
    heading: '¿Y las aseguradoras y los empleadores?',
    body: (
      <>
        <p>
          Este sitio no envía nada a aseguradoras ni a empleadores. Mire en la política de
          privacidad de {site.partnerName} quién recibe datos de allí. El enlace está al final de
          esta página.
        </p>
        {facts.country === 'US' && <LawInTheUs />}
      </>
    ),
  },
  leaving: {
    heading: '¿Cómo puedo salir, y qué queda?',
    body: (
      <>
        <p>
          Puede borrar su cuenta en {site.partnerName} en cualquier momento. Muchas veces, lo que ya
          se investigó con sus datos no se puede deshacer.
        </p>
        <p>
          ¿Qué pasa con las copias? Mire la política de privacidad de {site.partnerName} antes de
          compartir. El enlace está al final de esta página.
        </p>
      </>
    ),
  },
});

/** Shown only if the initiative is for people in the US. */
const LawInTheUs = () => (
  <>
    <p>
      En EE. UU., una ley llamada GINA protege la información genética, como el resultado de una
      prueba. No la pueden usar los seguros médicos ni las empresas con 15 empleados o más. La ley
      no cubre los seguros de vida, de discapacidad ni de cuidados a largo plazo. Tampoco cubre una
      enfermedad que usted ya tiene.{' '}
      <a href="https://www.genome.gov/about-genomics/policy-issues/Genetic-Discrimination">
        National Human Genome Research Institute (en inglés)
      </a>
    </p>
    <p>
      Un seguro médico no puede cobrarle más por una enfermedad que usted ya tiene. Algunos planes
      antiguos son una excepción.{' '}
      <a href="https://www.healthcare.gov/glossary/pre-existing-condition/">
        HealthCare.gov (en inglés)
      </a>
    </p>
  </>
);

const adviceAndRegistries = (site: Site): Pick<Sections, 'advice' | 'registries'> => ({
  advice: {
    heading: '¿Es un consejo médico?',
    body: (
      <p>
        No. La información puede estar incompleta si falta un expediente. Llévela a su equipo de
        salud, que decide con usted. No empiece ni deje un tratamiento solo por lo que lea allí.
      </p>
    ),
  },
  registries: {
    heading: 'Estoy en otro registro de pacientes. ¿Qué cambia?',
    body: (
      <>
        <p>
          Un registro de pacientes reúne datos de personas con una misma enfermedad. Hay otros para
          la AME, como los de los{' '}
          <a href="https://www.curesma.org/sma-care-center-network/">centros de Cure SMA</a> y los
          de <a href="https://www.treat-nmd.org.uk/registry/general/index.en.html">TREAT-NMD</a>{' '}
          (ambos en inglés). TREAT-NMD es una red para enfermedades de los nervios y los músculos.
        </p>
        <p>
          Pulsar el botón aquí no cambia nada allí. Pregunte a {site.partnerName} si comparte datos
          con un registro en el que usted está.
        </p>
      </>
    ),
  },
});
