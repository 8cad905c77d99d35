/** The words of the opt-out in Spanish. */
import type { CountingFacts } from '../en/counting.ts';
import type { OptOutWords } from '../en/opt-out.ts';
import { countingSummary } from './counting.ts';

export function optOut(facts: Pick<CountingFacts, 'posthogKey'>): OptOutWords {
  const counted = countingSummary(facts);
  return {
    turnOff: 'Desactivar el conteo en este dispositivo',
    turnOn: 'Activar el conteo en este dispositivo',
    counted,
    isOn: `${counted} Puede desactivar el conteo.`,
    isOff: 'El conteo está desactivado en este dispositivo.',
    nowOff: {
      title: 'El conteo está desactivado',
      description: 'Desde ahora, este dispositivo no envía datos de conteo.',
    },
    nowOn: { title: 'El conteo está activado', description: `Gracias. ${counted}` },
    notStored: {
      title: 'Su navegador no guardó esta elección',
      description: 'Bloquea el almacenamiento de este sitio, así que el conteo sigue como estaba.',
    },
  };
}
