/** The plan as text for the operator. */
import type { Access } from '../../server/posthog/management/answer.ts';
import type { Plan, Step } from './make-plan.ts';

const SIGNS = { missing: '+', unchanged: '=', outdated: '~', 'changed by hand': '!' };
const WORDS = {
  missing: 'to be made',
  unchanged: 'unchanged',
  outdated: 'to be changed, because the file has changed',
  'changed by hand': 'changed by hand',
};

/** One line per object, then a sum. */
export function describePlan(plan: Plan, { host, projectId }: Access): string {
  const lines = [
    `PostHog at ${host}, project ${projectId}:`,
    '',
    ...plan.steps.map(describeStep),
    ...plan.orphans.map(({ kind, name, id }) =>
      line('?', kind, `${name} (${id})`, 'no file names it; `prune` removes it'),
    ),
    '',
    describeSum(plan),
  ];
  return `${lines.join('\n')}\n`;
}

function describeStep({ wanted, found, state, differences, toAttach }: Step): string {
  const renamed = found && found.kind !== 'annotation' && found.name !== wanted.name;
  const name = renamed ? `${wanted.name} (at PostHog: ${found.name})` : wanted.name;
  const details = differences.map((text) => `\n        ${text}`).join('');
  const attach = toAttach && state !== 'changed by hand' ? ', to be put on the dashboard' : '';
  return line(SIGNS[state], wanted.kind, name, WORDS[state] + attach) + details;
}

const line = (sign: string, kind: string, name: string, state: string) =>
  `  ${sign} ${kind.padEnd(11)} ${name}: ${state}`;

function describeSum({ steps, orphans }: Plan): string {
  const count = (state: Step['state']) => steps.filter((step) => step.state === state).length;
  const sums = [
    `${count('missing')} to make`,
    `${count('outdated')} to change`,
    `${count('unchanged')} unchanged`,
    `${count('changed by hand')} changed by hand`,
    `${orphans.length} without a file`,
  ];
  const advice =
    count('changed by hand') > 0
      ? ' What was changed by hand stays as it is. To overwrite it: `apply --force`.'
      : '';
  return `${sums.join(', ')}.${advice}`;
}
