/** Puts the team's switch below the header. The page loads this module only for `?internal=1`. */
import { splitPath } from '#contract/language.ts';
import { TEAM } from '#words/team.ts';
import { createRoot } from './react-root.ts';
import { TeamSwitch } from './team-switch.tsx';

export function showTeamSwitch(): void {
  const place = document.createElement('aside');
  place.setAttribute('aria-label', TEAM[splitPath(location.pathname).language].label);
  place.className = 'mx-auto grid w-page justify-items-start gap-2 pb-4 print:hidden';
  // Below the header, whose skip link waits out of view above it.
  document.querySelector('main')?.before(place);
  createRoot(place).render(<TeamSwitch />);
}
