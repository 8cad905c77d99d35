/** The words of /help/privacy/ in Spanish. */
import { LOG_DAYS } from '#contract/limits.ts';
import type { Facts, Site } from '#site.config.ts';
import { bullets, paragraphs } from '../../definitions.tsx';
import { lookupHost } from '../../en/counting.ts';
import type { privacy as english } from '../../en/help/privacy.tsx';
import type { HelpSection } from '../../help.ts';
import {
  eventList,
  fieldList,
  propertyList,
  requestList,
  storedList,
  visitList,
} from '../../recorded.tsx';
import { otherDetails, pressDetails, privacyDetails, recordingSummary } from '../counting.ts';
import { optOut } from '../opt-out.ts';
import { recorded } from './recorded.ts';

export const privacy = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Sus datos y qué guarda este sitio',
  lead: `Sus expedientes médicos van a ${site.partnerName}, nunca a este sitio. ${recordingSummary(site)} No usamos cookies. Puede desactivar el conteo o pedir que borremos un clic.`,
  contents: [
    { section: 'stop', text: 'Cómo desactivar el conteo' },
    { section: 'erase', text: 'Cómo pedir que borremos un clic' },
  ],
  sections: {
    counting: counting(site),
    stop: stop(site),
    kept: {
      heading: 'Qué guardamos de un clic',
      body: (
        <>
          <p>De cada clic guardamos una fila y una línea, con:</p>
          {fieldList(recorded(site))}
          <h3>Qué guardamos de una visita</h3>
          <p>De cada página que abre guardamos una fila, sin dirección ni navegador:</p>
          {visitList(recorded(site))}
          <p>
            Dividimos los clics entre las visitas, salvo si el navegador pide privacidad o no tiene
            JavaScript.
          </p>
        </>
      ),
    },
    sent: {
      heading: 'Qué envía su navegador',
      body: (
        <>
          <p>Pide las páginas de este sitio. También envía:</p>
          {requestList(recorded(site), site)}
        </>
      ),
    },
    stored: {
      heading: 'Qué guarda su navegador',
      body: (
        <>
          <p>Solo este sitio puede leer estos datos.</p>
          {storedList(recorded(site), site)}
        </>
      ),
    },
    posthog: posthog(site),
    time: time(site),
    who: who(site, facts),
    erase: erase(site, facts),
  },
});

const counting = (site: Site): HelpSection => ({
  heading: 'Qué contamos',
  body: (
    <>
      {paragraphs(pressDetails(site))}
      {site.posthogKey && <h3>Qué saben otros</h3>}
      {paragraphs(otherDetails(site))}
      {privacyDetails(site).length > 0 && <h3>Si su navegador pide privacidad</h3>}
      {paragraphs(privacyDetails(site))}
    </>
  ),
});

const stop = (site: Site): HelpSection => ({
  heading: 'Cómo desactivar el conteo',
  body: (
    <>
      <p>
        <a href="/es/#opt-out">Vaya al final de la primera página</a> y pulse “
        {optOut(site).turnOff}”. El botón necesita JavaScript.
      </p>
      {bullets([
        'No pierde nada: todo funciona igual.',
        'Vale en seguida en todo el sitio, en este navegador.',
        'Borra los clics que esperan en su navegador, pero no lo que ya llegó.',
      ])}
    </>
  ),
});

const posthog = (site: Site): HelpSection | null =>
  site.posthogKey === null
    ? null
    : {
        heading: 'Qué recibe PostHog',
        body: (
          <>
            {eventList(recorded(site), site)}
            <h3>Qué lleva cada evento</h3>
            {propertyList(recorded(site))}
          </>
        ),
      };

const time = ({
  clickRetentionDays,
  registrationRetentionDays,
  posthogKey,
  registerForm,
}: Site): HelpSection => ({
  heading: 'Cuánto tiempo lo guardamos',
  body: bullets([
    clickRetentionDays > 0
      ? `Borramos la fila de un clic o una visita tras unos ${clickRetentionDays} días.`
      : 'Guardamos la fila de un clic o una visita hasta que la borramos. No hay un plazo.',
    `Borramos las líneas tras unos ${Math.min(LOG_DAYS, clickRetentionDays || LOG_DAYS)} días, y lo que no pudimos leer.`,
    'El sistema anota cada clic sin dirección, el tiempo que fijamos.',
    'Los totales quedan, sin datos suyos.',
    posthogKey && 'PostHog guarda sus eventos el tiempo que fijamos allí.',
    registerForm
      ? registrationRetentionDays > 0
        ? `Borramos su inscripción tras unos ${registrationRetentionDays} días, o cuando lo pida.`
        : 'Guardamos su inscripción hasta que la borramos.'
      : null,
    'Las copias de seguridad pueden durar más.',
  ]),
});

const who = (site: Site, { operator }: Facts): HelpSection => ({
  heading: 'Quién lo ve',
  body: bullets([
    `${operator ?? 'El equipo que dirige este sitio'} ve todo.`,
    'Quienes planean la iniciativa solo ven números. Todos pueden ver los totales.',
    site.posthogKey && 'PostHog ve lo que recibe.',
    site.ipLookupUrl && `${lookupHost(site)} ve su dirección de red.`,
    `De nosotros, ${site.partnerName} solo recibe el código de su enlace y el nuestro, cuando usted pulsa.`,
    'Ningún anunciante recibe nada de este sitio.',
  ]),
});

const erase = ({ contactEmail, logIp, posthogKey }: Site, { phone }: Facts): HelpSection => ({
  heading: 'Cómo pedir que borremos un clic',
  body: (
    <>
      <p>
        Escriba a <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        {phone && ` o llame al ${phone}`}. Un clic no lleva su nombre. Para encontrarlo, díganos:
      </p>
      {bullets([
        'el día y la hora, y su zona horaria',
        'qué botón pulsó y en qué página',
        'el enlace que usó, si lo tiene',
      ])}
      {logIp !== 'none' && <p>Su dirección de red (IP) de ese día es lo que más ayuda.</p>}
      <p>
        Borramos lo que la fila y la línea tienen de usted. Quedan el botón, la hora, un número y
        las marcas. Si varios clics se parecen, no podemos saber cuál es el suyo.
      </p>
      {posthogKey && <p>Pedimos a PostHog que borre esa visita.</p>}
    </>
  ),
});
