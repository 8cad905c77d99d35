/** The words of the opt-out in English, on the landing page and on the help pages. */
import { type CountingFacts, countingSummary } from './counting.ts';

export type OptOutWords = ReturnType<typeof optOut>;

export function optOut(facts: Pick<CountingFacts, 'posthogKey'>) {
  const counted = countingSummary(facts);
  return {
    turnOff: 'Turn off counting on this device',
    turnOn: 'Turn counting on for this device',
    counted,
    isOn: `${counted} You can turn that off.`,
    isOff: 'Counting is off on this device.',
    /** Toasts. */
    nowOff: {
      title: 'Counting is off',
      description: 'From now on, this device sends no counts.',
    },
    nowOn: { title: 'Counting is on', description: `Thank you. ${counted}` },
    notStored: {
      title: 'Your browser did not keep this choice',
      description: 'It blocks storage for this site, so counting stays as it was.',
    },
  };
}
