/** The words of the landing page's interactive parts in Spanish, except the form's. */
import type { Site } from '#site.config.ts';
import type { IslandWords } from '../en/islands.ts';
import { optOut } from './opt-out.ts';

export const islands = (site: Site): IslandWords => ({
  'hero-stats': {
    pressed: (total) =>
      `Hasta ahora, el botón se ha pulsado al menos ${total.toLocaleString('es-US')} veces.`,
  },
  'opt-out': optOut(site),
  toaster: { label: 'Mensajes ({hotkey})', dismiss: 'Cerrar' },
});
