/** `npm run canary`: one click through the public way, to find out before the visitors do that it is broken. */
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { sendCanary } from './canary/send-canary.ts';
import { print, runProgram } from './run-program.ts';
import { readCount, UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

const HELP = `Usage: npm run canary -- --url https://site.example [--timeout SECONDS]

Sends one click as a visitor's browser does, through name resolution, TLS, the proxy, the rate limit, the ledger and the
index. CANARY_KEY signs it, so no count includes it. Exit code 0: the click is on the disk and in the index. Otherwise
one sentence names the stage that failed, and the exit code is 1. It warns when the certificate ends within 14 days.

  --url      the site's public address
  --timeout  for the whole run, in seconds (10)

Run it each minute with the units deploy/systemd/site-canary.*, best on another machine than the servers.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  timeout: { type: 'string' },
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Two weeks before its end, renewals have failed: they begin thirty days before. The alert SiteCertificateExpires has the same number. */
const WARN_DAYS = 14;

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options });
  if (values.help) return print(HELP);
  const site = URL.parse(values.url ?? '');
  if (!site || !/^https?:$/.test(site.protocol))
    throw new UsageError('--url must be the site’s public address, like https://site.example');
  const { canaryKey } = readConfig(process.env);
  if (canaryKey === null) throw new Error('CANARY_KEY is not set. The servers need the same.');
  const seconds = readCount('timeout', values.timeout, 10);
  const { id, ms, certificateEndsMs } = await sendCanary(
    site,
    canaryKey,
    AbortSignal.timeout(seconds * 1000),
  );
  print(`The click ${id} is on the disk and in the index of ${site.origin} (${ms} ms).\n`);
  if (certificateEndsMs !== null) warnBefore(certificateEndsMs, site.host);
});

function warnBefore(endsMs: number, host: string): void {
  const days = Math.floor((endsMs - Date.now()) / DAY_MS);
  const day = new Date(endsMs).toISOString().slice(0, 10);
  if (days < WARN_DAYS)
    warn(`The certificate of ${host} ends in ${days} days, on ${day}. Renew it.`);
}
