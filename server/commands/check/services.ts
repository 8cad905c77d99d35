/** Tries the services that the settings name. Sends no data. */
import { explainFailure } from './explain-failure.ts';

/** Time for one service. */
const PATIENCE_MS = 5_000;

/** Connects and logs in as for a mail. @throws (rejects with) an Error that says what to do */
export async function reachSmtp(url: URL): Promise<void> {
  const { checkSmtp } = await import('../../mail/smtp.ts');
  await checkSmtp(url, PATIENCE_MS).catch((cause) => {
    throw explainFailure(`The SMTP server (${url.host})`, 'SMTP_URL', cause, url.password);
  });
}

/** Any answer will do. @throws (rejects with) an Error that says what to do */
export async function reachPosthog(host: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await fetch(host, { method: 'HEAD', redirect: 'manual', signal }).catch((cause) => {
    throw explainFailure(`PostHog (${host})`, 'posthogHost in site.json', cause);
  });
}
