/** Words for the lists of what this site records, in Spanish. */
import type { LogIp, ReferrerDetail } from '#contract/privacy.schema.ts';
import type { CountingFacts } from '../../en/counting.ts';
import type { RecordedWords } from '../../recorded.tsx';

const FROM: Record<ReferrerDetail, string> = {
  class: ' Y el tipo de sitio del que llegó.',
  domain: ' Y el sitio del que llegó.',
  none: '',
};

const FROM_KIND: Record<ReferrerDetail, string> = { ...FROM, domain: '' };

const ADDRESS: Record<LogIp, string | null> = {
  full: 'Su dirección de red (IP), salvo si su navegador pide privacidad.',
  truncated: 'Su dirección de red (IP) sin su última parte, salvo si su navegador pide privacidad.',
  none: null,
};

export function recorded({ logIp, posthogKey, referrerDetail }: CountingFacts): RecordedWords {
  const from = FROM[referrerDetail];
  const address = ADDRESS[logIp];
  return {
    requests: {
      click: [
        'Un clic en un botón de inscripción',
        'Justo después del clic. Otra vez, si no llegó.',
      ],
      stats: ['¿Cuántos clics hay hasta ahora?', 'En la página de inicio, 2 veces por minuto.'],
      events: posthogKey
        ? [
            'Una visita, y lo que recibe PostHog',
            'Cuando abre una página. En la de inicio, también cuando hace algo. Pasa por nuestro servidor.',
          ]
        : ['Una visita', 'Cuando abre una página, salvo si su navegador pide privacidad.'],
      registration: ['El formulario', 'Cuando lo envía: lo que escribió.'],
      ipLookup: [
        '¿Cuál es mi dirección de red?',
        'Cuando llega a un botón de inscripción, salvo si su navegador pide privacidad.',
      ],
    },
    stored: {
      counting: ['Su decisión de desactivar el conteo', 'Hasta que active el conteo.'],
      'click:': [
        'Un clic que todavía no llegó',
        'Hasta que llega, 7 días como máximo. Se borra si desactiva el conteo.',
      ],
      'clicks-dropped': ['Cuántos clics se perdieron', 'Hasta el siguiente clic.'],
      __mplssupport__: ['Una prueba de PostHog: ¿puede guardar?', 'Se borra en seguida.'],
      'register-draft': [
        'Lo que escribe en el formulario',
        'Hasta que lo envía o cierra la pestaña.',
      ],
    },
    fields: {
      time: ['Horas', 'Cuándo pulsó, cuándo se envió y cuándo llegó.'],
      button: ['Botón y página', 'Qué botón, y la dirección web de la página.'],
      origin: [
        'Su camino hasta aquí',
        `El código y los nombres que lleva su enlace, como el de un boletín.${from}`,
      ],
      device: [
        'Dispositivo',
        'El nombre de su navegador y de su sistema, y el ancho de su pantalla.',
      ],
      address: address === null ? null : ['Dirección', address],
      numbers: [
        'Números',
        'Números al azar para el clic, la visita y el envío. Y qué clic de la visita fue: 1, 2, etc.',
      ],
      delivery: [
        'Entrega',
        'Cómo se envió, qué servidor lo recibió y cuántos clics anteriores no llegaron.',
      ],
      marks: [
        'Robot y privacidad',
        'Si fue un robot o una prueba nuestra. Si su navegador pide privacidad.',
      ],
    },
    visit: {
      time: 'Cuándo abrió la página.',
      page: 'Qué página de este sitio fue.',
      origin: `Su camino hasta aquí: el código y los nombres que lleva su enlace.${FROM_KIND[referrerDetail]}`,
      screen: 'El ancho de su pantalla: pequeño, mediano o grande.',
      marks: 'Un número hecho del de la visita, para contarla una sola vez. Si fue un robot.',
    },
    events: {
      $pageview: 'Usted abrió una página.',
      section_viewed: 'Una parte de la página de inicio estuvo a la vista.',
      cta_click: 'Pulsó un botón de inscripción: cuál, y el número del clic.',
      video_played: 'Inició el video.',
      registration_submitted: 'Envió el formulario, y llegó o no. Nada de lo que escribió.',
      registration_succeeded: null,
      registration_failed: null,
      web_vital: 'Qué tan rápida fue la página de inicio, y si se movió.',
    },
    properties: {
      origin: 'Su camino hasta aquí, como arriba.',
      visit: 'Un número al azar para la visita.',
      page: 'La dirección web de la página, sin lo que lleva su enlace.',
      device: 'Su dispositivo, como arriba.',
      address: 'Una dirección de red inventada, en lugar de la suya.',
      profile: 'Un aviso, para que PostHog no haga un perfil de usted.',
    },
  };
}
