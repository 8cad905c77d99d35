/** The words of the landing page in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { LandingWords } from '../en/landing.ts';

export const landing = (site: Site, _facts: Facts): LandingWords => ({
  skip: 'Ir al contenido principal',
  newTab: '(se abre en otra pestaña)',
  join: 'Unirme a la iniciativa',
  hero: {
    audience: 'Para familias que viven con atrofia muscular espinal (AME)',
    headline: ['Muchos registros.', 'Un solo camino.'],
    purpose: `${site.productName} es una iniciativa nacional de datos de pacientes. Reúna sus historias clínicas de distintos centros en un espacio privado. Vea qué falta en su atención. Comparta datos con la investigación, si quiere.`,
    signUp: `La cuenta se abre con ${site.partnerName}, nuestro socio.`,
  },
  problem: {
    title: 'El camino con AME mejora, pero no lo bastante rápido',
    intro:
      'Los nuevos tratamientos han cambiado lo que es posible. El día a día todavía exige mucho a las familias. Tres cosas nos frenan a todos.',
    items: [
      {
        title: 'Atención repartida',
        text: 'Cada especialista guarda sus propias notas. Nadie ve todo el conjunto, y usted lo lleva de puerta en puerta.',
      },
      {
        title: 'Cansancio que agota',
        text: 'Muchos días con AME ya cansan bastante. Los formularios, las llamadas y contar su historia otra vez gastan fuerzas que necesita para vivir.',
      },
      {
        title: 'Poco saber compartido',
        text: 'La AME es rara, y lo que se sabe de ella está en muchos sitios. Cuando cada investigador ve una parte pequeña, las respuestas llegan despacio.',
      },
    ],
  },
  success: {
    label: 'Una historia de éxito',
    title: 'Los datos compartidos cambiaron la fibrosis quística',
    text: 'En 1966, las clínicas de fibrosis quística (FQ) empezaron a reunir sus datos en un registro. Así pudieron comparar qué funcionaba y aprender unas de otras. Llegaron mejor atención y nuevos medicamentos.',
    withCf: 'Esperanza de vida con FQ: previsión para quienes nacen ahora',
    withCfFigure: 'más de 65 años',
    everyone: 'Esperanza de vida de toda la población de EE. UU.',
    everyoneFigure: 'unos 78 años',
    sources:
      'Fuentes: Registro de Pacientes de la Cystic Fibrosis Foundation; Centers for Disease Control and Prevention, 2023.',
  },
  howItWorks: {
    title: 'Cómo funciona',
    intro: 'Tres pasos. Usted marca el ritmo y puede parar cuando quiera.',
    steps: {
      connect: {
        title: 'Reúna sus registros',
        text: 'Elija sus hospitales, clínicas y laboratorios. Sus registros se juntan en su espacio privado.',
      },
      insight: {
        title: 'Reciba información personal',
        text: 'Vea qué dicen sus registros en conjunto. Descubra qué falta en su atención y qué estudios pueden encajar con usted.',
      },
      research: {
        title: 'Impulse la investigación',
        text: 'Elija si comparte sus datos con la investigación. Lo que usted vive cada día puede ayudar a responder preguntas.',
      },
    },
    film: {
      title: 'Véalo en un minuto',
      text: 'Un video corto y tranquilo, con subtítulos y sin sonido. También puede leer aquí sus palabras.',
      read: 'Leer el video',
    },
  },
  benefits: {
    title: 'Lo que recibe',
    items: [
      {
        title: 'Registros ordenados',
        text: 'Visitas, pruebas y cartas en una sola línea de tiempo. Llévela a cualquier cita y cuente su historia una vez.',
      },
      {
        title: 'Información sobre su atención',
        text: 'Notas claras sobre la atención que quizá le falta, con preguntas para su médico.',
      },
      {
        title: 'Apoyo a la investigación',
        text: 'Sus datos, junto con los de otras personas, ayudan a hacer mejores preguntas y a hallar antes las respuestas.',
      },
    ],
  },
  privacy: {
    title: 'Sus datos siguen en sus manos',
    items: [
      {
        title: 'Conforme a la ley',
        text: 'El servicio cumple las leyes que protegen la información de salud.',
      },
      {
        title: 'Cifrado',
        text: 'Sus datos se cifran cuando viajan y donde se guardan.',
      },
      {
        title: 'Bajo su control',
        text: 'Usted decide qué registros une y qué comparte. Puede cambiar de opinión.',
      },
      { title: 'Suyo para borrar', text: 'Puede borrar su cuenta en cualquier momento.' },
    ],
    poweredBy: `Con la tecnología de ${site.partnerName}, una plataforma de información de salud que funciona desde 2017.`,
    counting: 'Ver qué cuenta esta página',
  },
  impact: {
    title: 'Lo que puede lograr una historia',
    label: 'Ejemplo',
    stories: [
      {
        quote:
          'Antes llevaba tres carpetas a cada visita. Ahora llevo una pantalla, y empezamos por cómo estoy.',
        person: 'Una paciente de 29 años que usa silla eléctrica',
      },
      {
        quote: 'Cuando todo el historial está en un solo lugar, busco menos y escucho más.',
        person: 'Una neuróloga pediátrica',
      },
    ],
  },
  closing: { title: '¿Listo para impulsar el cambio?', intro: 'Empieza con un registro: el suyo.' },
  footer: {
    label: 'En esta página',
    about: 'Acerca de',
    howItWorks: 'Cómo funciona',
    benefits: 'Lo que recibe',
    register: 'Registro',
    privacyPolicy: 'Política de privacidad',
    terms: 'Condiciones',
    whatWeCount: 'Qué contamos y quién lo sabe',
    font: 'La letra es Atkinson Hyperlegible, que el Braille Institute dibujó para lectores con baja visión.',
    copyright: `© 2025 ${site.productName}`,
  },
  home: 'Volver al inicio',
});
