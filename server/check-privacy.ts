/** Compares the page's statements about visitors' data with the server's settings. */
import type { LogIp, Privacy, ReferringDomainSetting } from '#contract/privacy.schema.ts';

type Settings = Privacy & { posthogHost: string };

/** In ascending order of kept data. */
const LOG_IP_ORDER: LogIp[] = ['none', 'truncated', 'full'];
const REFERRING_DOMAIN_ORDER: ReferringDomainSetting[] = ['none', 'class', 'domain'];
/** Hosts on this machine, for tests and local tools. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** @throws an Error that names every setting by which the server would do more than the page says, and the remedy */
export function checkPrivacy(page: Privacy, settings: Settings): void {
  const faults = [
    logIpFault(page, settings),
    referringDomainFault(page, settings),
    retentionFault(page, settings),
    ...posthogFaults(page, settings),
  ].filter(Boolean);
  if (faults.length > 0) throw new Error(`${FAULTS}\n${faults.join('\n')}`);
}

/** @returns a sentence if the server does less than the page says; null if both are equal */
export function privacyAdvice(page: Privacy, settings: Settings): string | null {
  if (page.logIp === settings.logIp) return null;
  return `The page says LOG_IP=${page.logIp}, and the server keeps less: LOG_IP=${settings.logIp}. Build the page again with that setting.`;
}

export const isThisMachine = (origin: string): boolean =>
  THIS_MACHINE.includes(new URL(origin).hostname);

const FAULTS = 'This server would do more than its page tells visitors:';

function logIpFault(page: Privacy, { logIp }: Settings): string | null {
  if (LOG_IP_ORDER.indexOf(logIp) <= LOG_IP_ORDER.indexOf(page.logIp)) return null;
  return faultOf('LOG_IP', page.logIp, logIp);
}

function referringDomainFault(page: Privacy, { referringDomain }: Settings): string | null {
  const [said, kept] = [page.referringDomain, referringDomain].map((setting) =>
    REFERRING_DOMAIN_ORDER.indexOf(setting),
  );
  if (Number(kept) <= Number(said)) return null;
  return faultOf('REFERRING_DOMAIN', page.referringDomain, referringDomain);
}

function retentionFault(page: Privacy, { clickRetentionDays: kept }: Settings): string | null {
  const { clickRetentionDays: said } = page;
  if (said === 0 || (kept > 0 && kept <= said)) return null;
  return faultOf('CLICK_RETENTION_DAYS', String(said), String(kept));
}

function posthogFaults(page: Privacy, { posthogHost, posthogSendIp, logIp }: Settings) {
  if (page.posthogHost === null) return [];
  const sendsMore = posthogSendIp && !page.posthogSendIp && logIp !== 'none';
  return [
    page.posthogHost === posthogHost || isThisMachine(posthogHost)
      ? null
      : faultOf('POSTHOG_HOST', page.posthogHost, posthogHost),
    sendsMore ? faultOf('POSTHOG_SEND_IP', 'off', 'on') : null,
  ];
}

const faultOf = (name: string, page: string, server: string) =>
  `  ${name} was ${page} when the page was built, and is ${server} now. Build the page again with ${name}=${server}, or set ${name}=${page}.`;
