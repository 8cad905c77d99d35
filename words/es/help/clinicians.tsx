/** The words of /es/help/clinicians/ in Spanish. */

import type { Facts, Site } from '#site.config.ts';
import type { clinicians as english } from '../../en/help/clinicians.tsx';

export const clinicians = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Para profesionales de la salud',
  lead: `Cuente a las personas con atrofia muscular espinal (AME) que existe ${site.productName}. Después, deje que decidan. No enviamos datos de pacientes a su clínica.`,
  sections: {
    what: {
      heading: 'Qué es',
      body: (
        <>
          <p>
            Una persona con AME junta en un espacio privado los expedientes médicos que guardan
            distintas clínicas. Ese espacio lo guarda {site.partnerName}, nuestro socio.
          </p>
          <ul>
            <li>La persona ve sus expedientes juntos, y qué puede faltar en su atención.</li>
            <li>Puede compartir datos para la investigación. Es una decisión aparte.</li>
            <li>No pedimos datos a su clínica.</li>
          </ul>
        </>
      ),
    },
    evidence: {
      heading: 'Qué muestran los estudios',
      body: (
        <>
          <p>
            Un registro de pacientes es una lista de personas con la misma enfermedad. Reúne datos
            de su salud y su atención. Esto han mostrado los registros:
          </p>
          <ul>
            <li>
              Las clínicas de EE. UU. reúnen desde 1966 los datos de la fibrosis quística (FQ). Los
              usan para comparar resultados y atender mejor.{' '}
              <a href="https://qualitysafety.bmj.com/content/23/Suppl_1/i9">
                Schechter y otros, 2014 (en inglés)
              </a>
            </li>
            <li>
              TREAT-NMD es una red para enfermedades de los nervios y los músculos. Sus registros
              reunieron datos de 5,068 personas con AME en 25 países. La atención era distinta,
              incluso entre países parecidos.{' '}
              <a href="https://doi.org/10.1007/s00415-013-7154-1">
                Bladen y otros, 2014 (en inglés)
              </a>
            </li>
          </ul>
        </>
      ),
    },
    unknown: {
      heading: 'Qué no se sabe',
      body: (
        <ul>
          <li>Ningún estudio ha probado todavía esta iniciativa.</li>
          <li>
            Los datos compartidos no son un ensayo clínico. No bastan para demostrar que un
            tratamiento funciona.
          </li>
          <li>Las personas que se unen pueden ser distintas de las que no se unen.</li>
          <li>
            Se revisaron 37 artículos sobre registros de enfermedades raras. Solo la mitad, más o
            menos, decía cómo revisa sus datos.{' '}
            <a href="https://doi.org/10.1186/s13023-023-02719-0">
              Hageman y otros, 2023 (en inglés)
            </a>
          </li>
        </ul>
      ),
    },
    consent: {
      heading: 'El consentimiento',
      body: (
        <>
          <p>
            Consentir es saber qué va a pasar y decir que sí con libertad. Antes de compartir, la
            gente pregunta quién recibe los datos, por cuánto tiempo y quién gana dinero. Así lo
            muestra una revisión de 135 estudios:{' '}
            <a href="https://www.jmir.org/2024/1/e50421">Baines y otros, 2024 (en inglés)</a>.
          </p>
          <ul>
            <li>
              Dé tiempo. Las <a href="/es/help/questions/">12 preguntas y respuestas</a> están
              escritas para las familias.
            </li>
            <li>Diga que su atención no cambia si dicen que no.</li>
            <li>No inscriba a otra persona. Decide cada uno, o su tutor.</li>
          </ul>
          {facts.oversight && <p>Revisión ética: {facts.oversight}.</p>}
        </>
      ),
    },
    burden: {
      heading: 'La carga de las familias',
      body: (
        <>
          <p>
            En 1 estudio de EE. UU. hablaron 96 personas con AME, padres y médicos. Contaron estrés,
            falta de sueño y problemas de dinero.{' '}
            <a href="https://pmc.ncbi.nlm.nih.gov/articles/PMC4619513">
              Qian y otros, 2015 (en inglés)
            </a>
            . Una tarea más puede ser demasiado.
          </p>
          <ul>
            <li>Dígalo una vez. No lo haga en una visita difícil.</li>
            <li>Dé la hoja en papel, para leerla en casa.</li>
            <li>
              Hay una página <a href="/es/help/easy/">fácil de leer</a> y hay{' '}
              <a href="/help/">páginas en inglés</a>.
            </li>
          </ul>
          {facts.signUpMinutes && <p>Abrir una cuenta lleva unos {facts.signUpMinutes} minutos.</p>}
        </>
      ),
    },
    refer: {
      heading: 'Cómo dar a conocer la iniciativa',
      body: (
        <ol>
          <li>
            Escriba a <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>. Pida un
            enlace para su clínica.
          </li>
          <li>
            Recibe un enlace corto, un código QR y un folleto de 1 página. El código QR es un cuadro
            que lee la cámara del teléfono. El folleto se imprime en español o en inglés.
          </li>
          <li>Pruebe una vez el código impreso, para ver que funciona.</li>
          <li>Dé el folleto. La persona abre la página y decide.</li>
        </ol>
      ),
    },
    code: {
      heading: 'Qué dice el enlace',
      body: (
        <>
          <p>
            El enlace lleva un código de su clínica, como <code>ref=clinic-7</code>. Nuestro conteo
            y el enlace de la cuenta llevan ese código. Así {site.partnerName} sabe qué clínica dio
            el enlace.{' '}
          </p>
          <p>No use nunca un código para una sola persona.</p>
        </>
      ),
    },
    limits: {
      heading: 'Qué no hacemos',
      body: (
        <ul>
          <li>No damos consejo médico. Usted decide la atención con cada persona.</li>
          <li>No le enviamos resultados. Cada persona puede mostrarle los suyos si quiere.</li>
          <li>No le decimos quién se unió.</li>
          <li>No sustituimos su expediente clínico ni los registros de pacientes.</li>
        </ul>
      ),
    },
  },
});
