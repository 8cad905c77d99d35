/**
 * The words of the landing page and of the leaflet in Spanish, for readers in the US. Written for
 * them, not word by word.
 */
import type { LandingFacts, LandingWords } from '../en/landing.ts';
import { unbroken } from '../unbroken.ts';

export const landing = (site: LandingFacts): LandingWords => ({
  skip: 'Ir al contenido principal',
  newTab: '(se abre en otra pestaña)',
  join: 'Unirme a la iniciativa',
  header: { label: 'Ayuda e idioma', questions: 'Preguntas' },
  otherLanguage: 'English',
  hero: {
    audience: 'Para personas con atrofia muscular espinal (AME) y sus familias',
    headline: ['Muchos datos.', 'Un solo camino.'],
    purpose: `${site.productName} es una iniciativa nacional de datos de pacientes en Estados Unidos. Reúna en un espacio privado sus expedientes médicos de distintos centros. Vea qué puede faltar en su atención. Comparta datos para ${unbroken('la investigación, si quiere.')}`,
    signUp: `El botón abre el sitio de ${unbroken(site.partnerName)}, nuestro socio. ${unbroken('Allí crea usted su cuenta.')}`,
    drawing:
      'Muchos expedientes sueltos llevan a un solo camino, por el que varias personas avanzan juntas.',
    facts: [
      { label: 'Dirigida por', answer: site.operator, page: '/help/who/' },
      { label: 'Costo', answer: 'Gratis, unos 10 minutos', page: '/help/questions/#cost' },
      {
        label: 'Sus datos',
        answer: `Sus expedientes van a ${unbroken(site.partnerName, 'answer')}${site.registerForm ? '' : ', nunca a este sitio'}`,
        page: '/help/privacy/',
      },
      {
        label: 'Para un menor',
        answer: 'Puede inscribirlo su madre, padre o tutor',
        page: '/help/questions/#eligibility',
      },
    ],
  },
  problem: {
    title: 'El camino con AME mejora, pero demasiado despacio',
    intro:
      'Los nuevos tratamientos han cambiado lo que es posible. Vivir con AME todavía exige mucho. 3 cosas nos frenan a todos.',
    items: [
      {
        title: 'Atención fragmentada',
        text: 'Su neurólogo, su neumólogo y su terapeuta guardan cada uno sus propias notas. Muchas veces nadie ve el conjunto, y usted lo lleva de puerta en puerta.',
      },
      {
        title: 'Un cansancio que agota',
        text: 'Muchos días con AME ya cansan bastante. Los formularios, las llamadas y contar otra vez su historia gastan fuerzas que usted necesita para vivir.',
      },
      {
        title: 'Poca información para investigar',
        text: 'La AME es poco común, y lo que se sabe de ella está en muchos lugares. Si cada investigador ve solo una parte, las respuestas tardan.',
      },
    ],
  },
  success: {
    label: 'Una historia de éxito',
    title: 'Las clínicas de fibrosis quística juntaron sus datos',
    text: 'En 1966, clínicas de Estados Unidos crearon un registro para reunir datos de personas con fibrosis quística (FQ). Compararon qué funcionaba y aprendieron unas de otras. Eso ayudó a lograr mejor atención y nuevos medicamentos.',
    withCf: 'Esperanza de vida con FQ: lo que se espera lograr',
    withCfFigure: 'Más de 65 años',
    everyone: 'Esperanza de vida de todas las personas en EE. UU., 2024',
    everyoneFigure: '79 años',
    sources: 'Fuentes en inglés:',
    forecasts:
      '“Más de 65 años” es lo que se espera lograr, y en 2023 todavía no se alcanzaba. La marca en la barra: se predice que la mitad de los bebés con FQ nacidos de 2019 a 2023 vivirá más de 61 años.',
    method:
      'Estas cifras no se calculan igual: 61 es una mediana (la edad de en medio), y 79, un promedio. Esto es sobre la FQ. La AME es distinta.',
    registry: 'Registro de la CF Foundation, 2023',
    statistics: 'CDC, 2024',
  },
  howItWorks: {
    title: 'Cómo funciona',
    intro: '3 pasos. Usted marca el ritmo y puede parar cuando quiera.',
    step: 'Paso',
    steps: {
      connect: {
        title: 'Reúna sus expedientes',
        text: 'Elija sus hospitales, clínicas y laboratorios. Sus expedientes se juntan en su espacio privado.',
      },
      insight: {
        title: 'Reciba información pensada para usted',
        text: 'Vea qué dicen sus expedientes en conjunto. Descubra qué puede faltar en su atención y qué estudios podrían servirle. No es un consejo médico. Su equipo de salud decide con usted.',
      },
      research: {
        title: 'Impulse la investigación',
        text: 'Usted elige si comparte sus datos para la investigación. Pueden ayudar a responder preguntas de otras personas con AME.',
      },
    },
    film: {
      title: 'Véalo en un minuto',
      text: 'Un video corto y tranquilo, con subtítulos y sin sonido.',
      read: 'Leer el texto del video',
      label: `Video: cómo funciona ${site.productName}`,
    },
  },
  benefits: {
    title: 'Lo que usted recibe',
    items: [
      {
        title: 'Expedientes ordenados',
        text: 'Consultas, pruebas y cartas en una sola línea de tiempo. Llévela a cualquier cita y cuente su historia una sola vez.',
      },
      {
        title: 'Información sobre su atención',
        text: 'Notas claras sobre lo que puede faltar en su atención, con preguntas para su equipo de salud.',
      },
      {
        title: 'Apoyo a la investigación',
        text: 'Junto con los de otras personas, sus datos pueden ayudar a los investigadores a preguntar mejor y a hallar antes las respuestas.',
      },
    ],
  },
  privacy: {
    title: 'Sus datos, sus decisiones',
    items: [
      {
        title: 'Conforme a la ley',
        text: `${site.partnerName} debe cumplir las leyes de privacidad de la salud.`,
      },
      {
        title: 'Datos cifrados',
        text: 'Sus expedientes se cifran, es decir, se vuelven ilegibles, en el camino y donde se guardan.',
      },
      {
        title: 'Bajo su control',
        text: 'Usted decide qué expedientes reúne y qué comparte. Después puede dejar de compartir. Muchas veces, lo que ya se investigó con sus datos no se puede deshacer.',
      },
      {
        title: 'Borrar es decisión suya',
        text: 'Puede borrar su cuenta en cualquier momento.',
      },
    ],
    policy: `Política de privacidad de ${site.partnerName}`,
    poweredBy: `Con la tecnología de ${site.partnerName}, una plataforma de información de salud que funciona desde 2017.`,
    counting: 'Ver qué guarda este sitio',
  },
  impact: {
    title: 'Historias de ejemplo',
    intro: 'Escribimos ambas historias como ejemplos. Ninguna persona real las contó.',
    label: 'Historia de ejemplo',
    stories: [
      {
        quote:
          'Antes llevaba 3 carpetas a cada consulta. Ahora llevo una pantalla, y empezamos por cómo estoy.',
        person: 'Paciente de 29 años que usa silla de ruedas eléctrica',
      },
      {
        quote: 'Con todos los expedientes en un solo lugar, busco menos y escucho más.',
        person: 'Una neuróloga pediátrica',
      },
    ],
  },
  closing: {
    title: '¿Quiere impulsar el cambio?',
    intro: 'Tómese su tiempo. Pregunte primero lo que necesite saber.',
  },
  footer: {
    label: 'En esta página',
    about: 'Sobre la AME',
    howItWorks: 'Cómo funciona',
    benefits: 'Beneficios',
    register: 'Inscribirse',
    privacyPolicy: 'Política de privacidad',
    terms: 'Términos',
    help: 'Preguntas y respuestas',
    operator: `${site.operator} está a cargo de este sitio.`,
    contact: 'Escríbanos:',
    call: 'Llámenos:',
    copyright: `© 2025 ${site.productName}`,
  },
  notFound: {
    router: '¿Olvidó agregar la página al enrutador?',
    moved: 'Esta página no existe o cambió de lugar.',
  },
  notRegistered: {
    goBack: 'Pulse el botón “Atrás” de su navegador. El formulario aún tiene lo que escribió.',
    emptyForm: 'Abrir un formulario vacío',
  },
  leaflet: {
    scan: 'Apunte al cuadro con la cámara del teléfono',
    type: 'O escriba esta dirección:',
    code: 'Código QR',
    signUp: `Usted crea su cuenta con ${site.partnerName}, nuestro socio.`,
    control:
      'Usted decide qué comparte, y puede borrar su cuenta en cualquier momento. ¿Preguntas?',
    or: 'o',
  },
  home: 'Volver al inicio',
});
