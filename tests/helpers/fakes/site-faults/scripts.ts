/** Faults of the scripts in pages, and of the content security policy. */
import { inPageHeaders, inPageText, type PlantedFault, POLICY, policyWith } from './plant.ts';

export const SCRIPTS_FAULTS: PlantedFault[] = [
  {
    name: 'the inline scripts are gone',
    plant: inPageText((text) => text.replace(/<script>.*?<\/script>/gs, '')),
    named: /the script that counts clicks and carries the ref is missing/,
  },
  {
    name: 'a proxy adds a line end to inline scripts',
    plant: inPageText((text) => text.replaceAll('<script>', '<script>\n')),
    named: /the script that counts clicks and carries the ref is changed/,
  },
  {
    name: 'a proxy changes the type of every script',
    plant: inPageText((text) =>
      text
        .replaceAll('<script>', '<script type="7f-text/javascript">')
        .replaceAll('type="module"', 'type="7f-module"'),
    ),
    named: /the script that counts clicks and carries the ref is changed/,
  },
  {
    name: 'a proxy removes scripts that are files',
    plant: inPageText((text) => text.replace(/<script src=[^>]*><\/script>/g, '')),
    named: /the script \/assets\/entries\/\S+\.js is missing/,
  },
  {
    name: 'the policy is missing',
    plant: inPageHeaders(() => ({ [POLICY]: '' })),
    named: /a page has no content security policy/,
  },
  {
    name: 'the policy does not allow the inline scripts of this build',
    plant: policyWith((policy) => policy.replace(/'sha256-[^']*'/g, '')),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'a proxy adds a second policy',
    plant: policyWith((policy) => `${policy}, script-src 'self'`),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'a proxy adds a policy in the document',
    plant: inPageText((text) =>
      text.replace(
        '<head>',
        `<head><meta http-equiv="Content-Security-Policy" content="script-src 'self'">`,
      ),
    ),
    named: /the policy blocks the script that counts clicks and carries the ref/,
  },
  {
    name: 'the policy lets the page send nothing',
    plant: policyWith((policy) => policy.replace(/connect-src [^;]*/, "connect-src 'none'")),
    named: /the policy blocks the requests that send clicks and visits/,
  },
  {
    name: 'the policy blocks the styles',
    plant: policyWith((policy) => policy.replace(/style-src [^;]*/, "style-src 'self'")),
    named: /the policy blocks an inline style/,
  },
];
