/** The words of the opt-out in Spanish. */
import type { LogIp } from '#contract/built-site.schema.ts';
import type { OptOutWords } from '../en/opt-out.ts';

const COUNTED = 'Contamos los clics en los botones y las visitas.';

const ADDRESS: Record<LogIp, string> = {
  full: ' Con cada clic guardamos su dirección de red (IP).',
  truncated: ' Con cada clic guardamos parte de su dirección de red (IP).',
  none: '',
};

export function optOut({ logIp }: { logIp: LogIp }): OptOutWords {
  const counted = COUNTED + ADDRESS[logIp];
  return {
    turnOff: 'Desactivar el conteo en este navegador',
    turnOn: 'Activar el conteo en este navegador',
    counted,
    isOn: `${counted} Puede desactivar el conteo.`,
    isOff: 'El conteo está desactivado en este navegador.',
    effect: {
      on: 'Todo lo demás funciona igual.',
      off: 'El conteo nos ayuda a ver qué funciona.',
    },
    nowOff: {
      title: 'El conteo está desactivado',
      description: 'Desde ahora, este navegador no envía datos de conteo.',
    },
    nowOn: { title: 'El conteo está activado', description: `Gracias. ${COUNTED}` },
    notStored: {
      title: 'Su navegador no guardó esta elección',
      description: 'Bloquea el almacenamiento de este sitio, así que el conteo sigue como estaba.',
    },
  };
}
