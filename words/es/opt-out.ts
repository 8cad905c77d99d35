/** The words of the opt-out in Spanish. */
import type { CountingFacts } from '../en/counting.ts';
import type { OptOutWords } from '../en/opt-out.ts';
import { COUNTING_SUMMARY, recordingSummary } from './counting.ts';

export function optOut(facts: Pick<CountingFacts, 'logIp'>): OptOutWords {
  const counted = recordingSummary(facts);
  return {
    turnOff: 'Desactivar el conteo en este dispositivo',
    turnOn: 'Activar el conteo en este dispositivo',
    counted,
    isOn: `${counted} Puede desactivar el conteo.`,
    isOff: 'El conteo está desactivado en este dispositivo.',
    effect: {
      on: 'Todo lo demás funciona igual.',
      off: 'El conteo nos ayuda a ver qué funciona.',
    },
    nowOff: {
      title: 'El conteo está desactivado',
      description: 'Desde ahora, este dispositivo no envía datos de conteo.',
    },
    nowOn: { title: 'El conteo está activado', description: `Gracias. ${COUNTING_SUMMARY}` },
    notStored: {
      title: 'Su navegador no guardó esta elección',
      description: 'Bloquea el almacenamiento de este sitio, así que el conteo sigue como estaba.',
    },
  };
}
