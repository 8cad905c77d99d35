/** The words of /es/help/easy/ in Spanish. */

import type { Facts, Site } from '#site.config.ts';
import type { easy as english } from '../../en/help/easy.tsx';

export const easy = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Fácil de leer',
  lead: 'Puede juntar sus expedientes médicos en un solo lugar. Usted elige.',
  blocks: [
    {
      drawing: 'together',
      heading: '¿Para quién es?',
      lines: [
        'Hay personas con atrofia muscular espinal (AME).',
        'La AME quita fuerza a los músculos.',
        'Esta página es para ellas y sus familias.',
      ],
    },
    {
      drawing: 'records',
      heading: '¿Qué son sus expedientes médicos?',
      lines: [
        'Son notas sobre su salud.',
        'Cada médico y cada clínica guarda unas pocas.',
        'Por eso están en muchos lugares.',
      ],
    },
    {
      drawing: 'connect',
      heading: '¿Qué es esto?',
      lines: [
        `Se llama ${site.productName}.`,
        'Con ella puede juntar sus expedientes en un lugar privado.',
        `Ese lugar está en ${site.partnerName}, no en este sitio.`,
      ],
    },
    {
      drawing: 'mount',
      heading: '¿Qué puede ver?',
      lines: [
        'Puede leer sus notas.',
        'Tal vez vea que falta una prueba o una cita.',
        'Entonces puede hablar con su médico.',
      ],
    },
    {
      drawing: 'study',
      heading: '¿Qué es un estudio?',
      lines: [
        'En un estudio, la gente busca cosas nuevas.',
        'Quiere saber más sobre la AME.',
        'Sus notas pueden ayudar.',
      ],
    },
    {
      drawing: 'choice',
      heading: '¿Tiene que compartir?',
      lines: [
        'No. Usted elige.',
        'Si comparte, otras personas usan sus notas.',
        'Puede decir que sí. Puede decir que no.',
        'Puede tener una cuenta y decir que no.',
      ],
    },
    {
      drawing: 'key',
      heading: '¿Quién guarda sus notas?',
      lines: [
        `Las guarda ${site.partnerName}.`,
        'Es nuestro socio. Eso quiere decir que trabajamos juntos.',
        'Nadie puede leerlas sin la clave.',
      ],
    },
    {
      drawing: 'phone',
      heading: '¿Cómo se une?',
      steps: [
        'Toque el botón al final de esta página.',
        `Se abre una página nueva. Es de ${site.partnerName}.`,
        'Allí abre una cuenta. La cuenta es su propio espacio.',
      ],
      lines: [
        ...(facts.cost === 'free' ? ['No tiene que pagar nada.'] : []),
        ...(facts.minAge === null
          ? []
          : [`Para unirse sin ayuda debe tener ${facts.minAge} años o más.`]),
      ],
    },
    {
      drawing: 'stop',
      heading: '¿Puede parar?',
      lines: [
        'Sí. Puede parar cuando quiera.',
        'Puede borrar su cuenta.',
        'Lo que un estudio ya usó puede quedarse allí.',
      ],
    },
    {
      drawing: 'clinic',
      heading: '¿Somos médicos?',
      lines: [
        'No. No somos médicos.',
        'No le decimos qué hacer.',
        'Hable con su médico antes de cambiar algo.',
        'Si se siente muy mal, pida ayuda ya.',
      ],
    },
    {
      drawing: 'letter',
      heading: '¿Tiene dudas?',
      lines: [
        'Lea esta página con alguien de confianza.',
        <>
          O escriba aquí: <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
        </>,
      ],
    },
  ],
});
