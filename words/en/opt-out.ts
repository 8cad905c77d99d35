/** The words of the opt-out in English, on the landing page and on the help pages. */
import type { LogIp } from '#contract/built-site.schema.ts';

export type OptOutWords = ReturnType<typeof optOut>;

const COUNTED = 'We count button presses and visits.';

const ADDRESS: Record<LogIp, string> = {
  full: ' With each press we keep your network (IP) address.',
  truncated: ' With each press we keep a part of your network (IP) address.',
  none: '',
};

export function optOut({ logIp }: { logIp: LogIp }) {
  const counted = COUNTED + ADDRESS[logIp];
  return {
    turnOff: 'Turn off counting in this browser',
    turnOn: 'Turn counting on in this browser',
    counted,
    isOn: `${counted} You can turn counting off.`,
    isOff: 'Counting is off in this browser.',
    /** The button's tooltip. */
    effect: {
      on: 'All else on this site works as before.',
      off: 'Counting helps us see what works.',
    },
    /** Toasts. */
    nowOff: {
      title: 'Counting is off',
      description: 'From now on, this browser sends no counts.',
    },
    nowOn: { title: 'Counting is on', description: `Thank you. ${COUNTED}` },
    notStored: {
      title: 'Your browser did not keep this choice',
      description: 'It blocks storage for this site, so counting stays as it was.',
    },
  };
}
