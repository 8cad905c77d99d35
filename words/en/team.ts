/** The words of the team's switch in English: `/?internal=1` shows it. */
export const team = {
  /** Names the region of the switch. */
  label: 'For the team of this site',
  isCounted:
    'Only for the team of this site: should this browser’s visits and button presses be left out of all figures?',
  leaveOut: 'Leave this browser out',
  isLeftOut:
    'This browser’s visits and button presses are now in no figure. To count it again, press the button, now or when you next add ?internal=1 to this page’s address.',
  countAgain: 'Count this browser again',
  notStored: 'Your browser blocks storage for this site, so it is counted as before.',
};

export type TeamWords = typeof team;
