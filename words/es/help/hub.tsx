/** The words of /help/ in Spanish. */
import type { Facts, Site } from '#site.config.ts';
import type { hub as english } from '../../en/help/hub.tsx';
import { Contact } from './contact.tsx';

export const hub = (site: Site, facts: Facts): ReturnType<typeof english> => ({
  title: 'Preguntas y respuestas',
  lead: 'Compartir sus expedientes médicos es decisión suya. Lea primero, para saber qué acepta. Vuelva cuando quiera.',
  first: [
    { to: '/help/questions/#cost', text: 'Cuánto cuesta' },
    { to: '/help/privacy/', text: 'Sus datos' },
    { to: '/help/questions/#eligibility', text: 'Inscribir a un menor' },
  ],
  sections: { contact: { heading: 'Pregúntenos', body: <Contact site={site} facts={facts} /> } },
});
