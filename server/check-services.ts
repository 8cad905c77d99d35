/** Tries each service that the settings name, for `--check-config`. Sends no data. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Settings } from './settings.ts';

/** Time for one service. A start waits less for most of them. */
const PATIENCE_MS = 5_000;

interface Service {
  name: string;
  /** What to do if it refuses connections or does not answer. */
  start: string;
  setting: string;
  effect: string;
  /** Parts of the address that no message may contain. */
  secrets: readonly (string | undefined)[];
  /** @throws (rejects with) the library's error */
  reach(signal: AbortSignal): Promise<unknown>;
}

/**
 * Not PostgreSQL, which has messages of its own (database/postgres.ts).
 *
 * @param site null: there is no build
 * @returns sentences: the service with its address, the fault, what to do, and the effect
 */
export async function checkServices(config: Settings, site: BuiltSite | null): Promise<string[]> {
  const services = servicesOf(config, site);
  const faults = await Promise.all(services.map(tryService));
  return faults.filter((fault) => fault !== null);
}

function servicesOf(config: Settings, site: BuiltSite | null): Service[] {
  const { smtpUrl } = config;
  const services: Service[] = [];
  if (smtpUrl)
    services.push({
      name: `The SMTP server (${smtpUrl.host})`,
      ...{ start: 'Start it', setting: 'SMTP_URL' },
      effect: 'mails wait',
      secrets: [smtpUrl.password],
      reach: () => reachSmtp(smtpUrl),
    });
  if (site?.posthogKey) services.push(posthogOf(site));
  return services;
}

/** Any answer will do. */
function posthogOf({ posthogHost }: BuiltSite): Service {
  return {
    ...{ start: 'Check the network', secrets: [] },
    ...{
      name: `PostHog (${posthogHost})`,
      setting: 'posthogHost in site.json',
      effect: 'events wait',
    },
    reach: (signal) => fetch(posthogHost, { method: 'HEAD', redirect: 'manual', signal }),
  };
}

async function tryService(service: Service): Promise<string | null> {
  const { name, effect, secrets, reach } = service;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const late = Promise.withResolvers<never>();
  // Unlike the signal's own timer, this one keeps the process alive.
  const limit = setTimeout(() => late.reject(new Error('timeout')), PATIENCE_MS);
  try {
    await Promise.race([reach(signal), late.promise]);
    return null;
  } catch (cause) {
    const { fault, remedy } = explain(cause, service);
    const text = `${name}: ${fault}. ${remedy}. Until then ${effect}.`;
    return withoutSecrets(text, secrets);
  } finally {
    clearTimeout(limit);
  }
}

/** The libraries report the system's code in the code, in the message, or in a cause. */
function explain(cause: unknown, { start, setting }: Service): { fault: string; remedy: string } {
  const texts = textsOf(cause);
  const has = (pattern: RegExp) => pattern.test(texts);
  if (has(/ENOTFOUND|EAI_AGAIN|EDNS/))
    return { fault: 'there is no such host', remedy: `Correct ${setting}` };
  if (has(/EAUTH|WRONGPASS|NOAUTH/i))
    return { fault: 'it refuses the user or the password', remedy: `Correct ${setting}` };
  const remedy = `${start}, or correct ${setting}`;
  if (has(/ECONNREFUSED|connection refused/i)) return { fault: 'it refuses connections', remedy };
  if (has(/timeout|timed out|ETIMEDOUT/i)) return { fault: 'it does not answer', remedy };
  const { message } = cause as Error;
  return { fault: message.replace(/\.$/, ''), remedy };
}

function textsOf(cause: unknown, depth = 0): string {
  if (!(cause instanceof Error) || depth > 3) return '';
  const { code, name, message } = cause as NodeJS.ErrnoException;
  const inner = cause instanceof AggregateError ? cause.errors : [];
  return [
    code,
    name,
    message,
    ...[cause.cause, ...inner].map((one) => textsOf(one, depth + 1)),
  ].join(' ');
}

/** A library's message may quote what it was given. */
const withoutSecrets = (text: string, secrets: Service['secrets']): string =>
  secrets
    .flatMap((secret) => (secret ? [secret, decodeURIComponent(secret)] : []))
    .reduce((shown, secret) => shown.replaceAll(secret, '…'), text);

async function reachSmtp(url: URL): Promise<void> {
  const { checkSmtp } = await import('./registrations/mail/smtp.ts');
  await checkSmtp(url, PATIENCE_MS);
}
