import { pageLanguage } from '#browser/page-language.ts';
import { TEAM } from '#words/team.ts';
import { createRoot } from './react-root.ts';
import { TeamSwitch } from './team-switch.tsx';

/**
 * Adds the team's switch to the page, between header and main. The page imports this module only if
 * its address has `?internal=1`.
 */
export function showTeamSwitch(): void {
  const aside = document.createElement('aside');
  aside.setAttribute('aria-label', TEAM[pageLanguage()].label);
  aside.className = 'mx-auto grid w-page justify-items-start gap-2 pb-4 print:hidden';
  document.querySelector('main')?.before(aside);
  createRoot(aside).render(<TeamSwitch />);
}
