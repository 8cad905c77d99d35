/** Words about counting in English, derived from the build's settings, so that they are true for every setting. */
import type { LogIp, ReferrerDetail } from '#contract/privacy.schema.ts';

/** The part of the site's configuration that decides what is recorded and passed on. */
export interface CountingFacts {
  logIp: LogIp;
  ipLookupUrl: string | null;
  /** null: no PostHog. */
  posthogKey: string | null;
  posthogHost: string;
  referrerDetail: ReferrerDetail;
  registerForm: boolean;
}

/** One sentence, which the pages show next to the opt-out. */
export const COUNTING_SUMMARY = 'We count button presses and visits.';

const WITH_ADDRESS: Record<LogIp, string> = {
  full: ' With each press we keep your network (IP) address.',
  truncated: ' With each press we keep a part of your network (IP) address.',
  none: '',
};

/** Returns the summary with what we keep of the address. */
export const recordingSummary = ({ logIp }: Pick<CountingFacts, 'logIp'>): string =>
  COUNTING_SUMMARY + WITH_ADDRESS[logIp];

/** Returns the full description, for /help/privacy/: a paragraph for each recipient of data about a visit. */
export function countingDetails(facts: CountingFacts): string[] {
  return [...pressDetails(facts), ...otherDetails(facts), ...privacyDetails(facts)];
}

/** Returns the part of the description about a press. */
export function pressDetails(facts: CountingFacts): string[] {
  return [
    `For each press of a sign-up button, we keep the time, the button and the page’s web address. ${visitWords(facts)} Each visit gets a random number. ${KEPT[facts.logIp]}`,
    lookupWords(facts),
  ].filter((paragraph) => paragraph !== null);
}

/** Returns the part of the description about other services. */
export function otherDetails(facts: CountingFacts): string[] {
  return [posthogWords(facts)].filter((paragraph) => paragraph !== null);
}

const FROM: Record<ReferrerDetail, string> = {
  class: ' We keep what kind of site you came from.',
  domain: ' We keep which site you came from.',
  none: '',
};

const visitWords = ({ referrerDetail }: CountingFacts) =>
  `We also keep your browser and device type, and your rough screen size.${FROM[referrerDetail]} We keep the names in your link, such as the name of a newsletter.`;

const KEPT: Record<LogIp, string> = {
  full: 'And we keep your network (IP) address.',
  truncated: 'And we keep your network (IP) address without its last part.',
  none: 'We do not keep your network (IP) address.',
};

/** The host that tells the browser its address; null: none. */
export const lookupHost = ({ ipLookupUrl }: Pick<CountingFacts, 'ipLookupUrl'>) =>
  ipLookupUrl && new URL(ipLookupUrl).host;

function lookupWords(facts: CountingFacts): string | null {
  const host = lookupHost(facts);
  if (!host) return null;
  return `When you reach such a button, your browser asks ${host} for your network address. That service then sees the address, and which site you are on.`;
}

function posthogWords(facts: CountingFacts): string | null {
  if (!facts.posthogKey) return null;
  const acts = facts.registerForm ? 'start the film or send the form' : 'start the film';
  return `A counting service, PostHog, also gets each press and the number. It learns when you open a page. On the home page it also learns which parts you see, and how fast the page is. It learns if you ${acts}. It learns the same things about your device and your link. ${placeOf(facts.posthogHost)} It does not get your network address.`;
}

/** PostHog's two clouds are known by their hosts; any other one is named. */
function placeOf(origin: string): string {
  const { host, hostname } = new URL(origin);
  if (/^eu(\.i)?\.posthog\.com$/.test(hostname)) return 'It is in the European Union.';
  if (/^(us(\.i)?|app)\.posthog\.com$/.test(hostname)) return 'It is in the United States.';
  return `We reach it at ${host}.`;
}

/** Returns the part of the description about browsers that ask for privacy. */
export function privacyDetails(facts: CountingFacts): string[] {
  const others = [lookupHost(facts), facts.posthogKey && 'PostHog'].filter(Boolean);
  const kept = facts.logIp === 'none' ? [] : ['we keep no network address'];
  const told =
    others.length > 0
      ? [`${others.join(' and ')} learn${others.length > 1 ? '' : 's'} nothing`]
      : [];
  const effects = [...kept, ...told].join(', and ');
  if (effects === '') return [];
  return [
    `Your browser can ask for privacy (Global Privacy Control or Do Not Track). Then ${effects}. We still count the press.`,
  ];
}
