/** Words about counting in Spanish, derived from the build's settings as in English. */
import type { LogIp, ReferrerDetail } from '#contract/privacy.schema.ts';
import { type CountingFacts, lookupHost } from '../en/counting.ts';

/** One sentence, which the pages show next to the opt-out. */
export const COUNTING_SUMMARY = 'Contamos los clics en los botones y las visitas.';

const WITH_ADDRESS: Record<LogIp, string> = {
  full: ' Con cada clic guardamos su dirección de red (IP).',
  truncated: ' Con cada clic guardamos parte de su dirección de red (IP).',
  none: '',
};

/** Returns the summary with what it says of the address. */
export const recordingSummary = ({ logIp }: Pick<CountingFacts, 'logIp'>): string =>
  COUNTING_SUMMARY + WITH_ADDRESS[logIp];

/** Returns the full description: a paragraph for each recipient of data about a visit. */
export function countingDetails(facts: CountingFacts): string[] {
  return [...pressDetails(facts), ...otherDetails(facts), ...privacyDetails(facts)];
}

export function pressDetails(facts: CountingFacts): string[] {
  return [
    `Por cada clic en un botón de inscripción guardamos la hora, el botón y la dirección web de la página. ${visitWords(facts)} Cada visita recibe un número al azar. ${KEPT[facts.logIp]}`,
    lookupWords(facts),
  ].filter((paragraph) => paragraph !== null);
}

export function otherDetails(facts: CountingFacts): string[] {
  return [posthogWords(facts)].filter((paragraph) => paragraph !== null);
}

const FROM: Record<ReferrerDetail, string> = {
  class: ' Guardamos desde qué tipo de sitio llegó.',
  domain: ' Guardamos desde qué sitio llegó.',
  none: '',
};

const visitWords = ({ referrerDetail }: CountingFacts) =>
  `También guardamos qué navegador y dispositivo usa, y el tamaño aproximado de su pantalla.${FROM[referrerDetail]} Guardamos los nombres que lleva su enlace, como el de un boletín.`;

const KEPT: Record<LogIp, string> = {
  full: 'Y guardamos su dirección de red (IP).',
  truncated: 'Y guardamos su dirección de red (IP) sin su última parte.',
  none: 'No guardamos su dirección de red (IP).',
};

function lookupWords(facts: CountingFacts): string | null {
  const host = lookupHost(facts);
  if (!host) return null;
  return `Cuando usted llega a ese botón, su navegador pregunta a ${host} su dirección de red. Ese servicio ve su dirección y en qué sitio está.`;
}

function posthogWords(facts: CountingFacts): string | null {
  if (!facts.posthogKey) return null;
  const acts = facts.registerForm ? 'inicia el video o envía el formulario' : 'inicia el video';
  return `Un servicio de conteo, PostHog, también recibe cada clic y el número. Sabe cuándo abre usted una página. En la página de inicio sabe además qué partes ve usted y qué tan rápida es la página. Sabe si ${acts}. Sabe lo mismo de su dispositivo y de su enlace. ${placeOf(facts.posthogHost)} No recibe su dirección de red.`;
}

/** PostHog's two clouds are known by their hosts; any other one is named. */
function placeOf(origin: string): string {
  const { host, hostname } = new URL(origin);
  if (/^eu(\.i)?\.posthog\.com$/.test(hostname)) return 'Está en la Unión Europea.';
  if (/^(us(\.i)?|app)\.posthog\.com$/.test(hostname)) return 'Está en los Estados Unidos.';
  return `Su dirección es ${host}.`;
}

export function privacyDetails(facts: CountingFacts): string[] {
  const others = [lookupHost(facts), facts.posthogKey && 'PostHog'].filter(Boolean);
  const kept = facts.logIp === 'none' ? [] : ['no guardamos ninguna dirección de red'];
  const told =
    others.length > 0
      ? [`${others.join(' y ')} no ${others.length > 1 ? 'se enteran' : 'se entera'} de nada`]
      : [];
  const effects = [...kept, ...told].join(', y ');
  if (effects === '') return [];
  return [
    `Su navegador puede pedir privacidad (Global Privacy Control o Do Not Track). En ese caso, ${effects}. El clic se cuenta igual.`,
  ];
}
