/** Makes the machine into the shipped layout, with what an operator decides: settings, a certificate. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Machine } from './attach.ts';
import type { Section } from './runbook.ts';
import { CERTIFICATES, makeAuthority, signCertificate } from './sign-certificate.ts';

const SITE = 'https://site.example';

export interface Outside {
  /** Changes something outside the machine (outside.ts). Resolves when that is done. */
  change(name: string): Promise<void>;
}

/** Gives the machine this checkout's commit, as version v1.2.0 of the repository that the runbook names. */
export async function addRepository({ file, run }: Machine): Promise<void> {
  const repository = file('srv/repository');
  execFileSync('git', ['clone', '--quiet', '--bare', '.', repository]);
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args]);
  git('branch', '--force', 'main', 'HEAD');
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('tag', '--force', 'v1.2.0');
  await run(`git config --global url."file:///srv/repository".insteadOf https://git.example/site.git
    git config --global safe.directory '*'`);
}

/**
 * Runs the commands of the section "Set up a machine", and what it asks for in words.
 *
 * @returns what they printed
 */
export async function setUp(machine: Machine, { blocks }: Section): Promise<[string, Outside]> {
  const [bootstrap = ''] = blocks;
  const said = [(await machine.run(bootstrap)).text];
  await machine.run(`${makeAuthority()}; ${signCertificate(90)}`);
  const outside = await startOutside(machine);
  await machine.run(writeSettings(outside.settings));
  said.push((await machine.run('cd /srv/site; deploy/bin/upgrade v1.2.0')).text);
  await outside.change('visitors');
  await outside.change('people');
  return [said.join('\n'), outside];
}

function writeSettings(outside: string[]): string {
  const settings = [
    ...outside,
    ...['MIN_FREE_MB=16', 'POSTHOG_FORWARD_AFTER_S=5', 'VITE_POSTHOG_KEY=phc_rehearsal'],
    ...['VITE_REGISTER_FORM=on', 'MAIL_FROM=hello@site.example'],
    `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
  ];
  return `printf '%s\\n' ${settings.join(' ')} >> /etc/site/site.env`;
}

async function startOutside(machine: Machine): Promise<Outside & { settings: string[] }> {
  const program = machine.start(
    `cd "$(readlink -f /srv/site)" && exec node_modules/.bin/node tests/machine/outside.ts ${SITE}`,
  );
  const lines = createInterface({ input: program.stdout });
  const [first] = await once(lines, 'line');
  return {
    settings: String(first).split(' '),
    async change(name) {
      const done = once(lines, 'line');
      program.stdin.write(`${name}\n`);
      await done;
    },
  };
}
