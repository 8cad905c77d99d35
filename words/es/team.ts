/** The words of the team's switch in Spanish. */
import type { TeamWords } from '../en/team.ts';

export const team: TeamWords = {
  label: 'Para el equipo de este sitio',
  isCounted:
    'Solo para el equipo de este sitio: ¿deben quedar fuera de todas las cifras las visitas y los clics de este navegador?',
  leaveOut: 'Excluir este navegador',
  isLeftOut:
    'Las visitas y los clics de este navegador ya no están en ninguna cifra. Para volver a contarlos, pulse el botón, ahora o cuando vuelva a añadir ?internal=1 a la dirección de esta página.',
  countAgain: 'Volver a contar este navegador',
  notStored: 'Su navegador bloquea el almacenamiento de este sitio, así que se cuenta como antes.',
};
