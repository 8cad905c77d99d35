/**
 * Writes the mail about faults that the site's own walk has found, and about faults that are over.
 */
import { createHash } from 'node:crypto';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Database } from '../../database/database.ts';
import type { FaultKind } from '../../watch/site-fault.ts';
import { describeSiteFault, type KnownFault } from '../../watch/watch-site.ts';
import { lowerFirst } from '../causes/words.ts';
import { frameOf } from './context.ts';
import type { Letter, Line } from './letter.ts';

/** First advice for each kind of fault. docs/operations.md (SiteWalkFails) has the whole list. */
const ADVICE: Record<FaultKind, string> = {
  address: 'Open the site from a telephone. Then look at Caddy, DNS and the firewall.',
  certificate: "Caddy's log says why the certificate is not renewed.",
  page: "Open the page, then look at the proxy's log.",
  button: 'Open the page and press the button. A proxy may rewrite pages: turn that off.',
  script: 'Turn off what rewrites pages, such as minifying. Until then not every click counts.',
  policy: 'A proxy adds or removes headers, or the build was replaced: restart the server.',
  file: 'Deploy all files again, and empty the cache.',
  link: 'A cache may keep redirects: exclude /r/ from it.',
  click: 'If a firewall refuses POST /api/log-cta, let it pass. Browsers keep their clicks.',
  portal: "Open the button's link, and call the partner.",
};

/** What a mail about faults reports. */
interface FaultNews {
  /** Faults that last and were not mailed yet. */
  fresh: KnownFault[];
  /** Faults that were mailed, and are over. */
  over: KnownFault[];
  /** Ids for `report_mails`, one for each fault. */
  ids: string[];
  /** Id of the mail: a hash of `ids`, so that the same news have the same Message-ID. */
  id: string;
}

/** Reads the ids of faults that were mailed, and of those whose end was mailed. */
const READ_MAILED_IDS = `
  SELECT id
  FROM report_mails
  WHERE id LIKE 'fault-%' OR id LIKE 'over-%'`;

/**
 * Compares the known faults with those that were mailed. Faults of one id that several servers find
 * are one fault, because all servers walk over the same address.
 *
 * @param now milliseconds since 1970
 * @returns null: there is nothing to mail
 */
export async function readFaultNews(
  db: Pick<Database, 'read'>,
  faults: readonly KnownFault[],
  now: number,
): Promise<FaultNews | null> {
  const ids = (await db.read(READ_MAILED_IDS)).map(({ id }) => String(id));
  const mailedFaults = ids.flatMap((id) => {
    const [, fault = '', since] = /^fault-(.+)-(\d+)$/.exec(id) ?? [];
    return since && !ids.includes(overId(fault, since)) ? [{ fault, since }] : [];
  });
  const lasting = faults.filter(({ until, isForMail }) => until === null && isForMail);
  const fresh = lasting.filter(
    ({ id, since }) =>
      !mailedFaults.some(({ fault }) => fault === id) && !ids.includes(faultId(id, since)),
  );
  const ended = mailedFaults.filter(({ fault }) => !lasting.some(({ id }) => id === fault));
  const newIds = [
    ...fresh.map(({ id, since }) => faultId(id, since)),
    ...ended.map(({ fault, since }) => overId(fault, since)),
  ];
  if (newIds.length === 0) return null;
  const hash = createHash('sha256').update(newIds.join()).digest('hex').slice(0, 16);
  const over = ended.map(({ fault, since }) => findEnded(faults, fault, Number(since), now));
  return { fresh, over, ids: newIds, id: `site-${hash}` };
}

const faultId = (id: string, since: number | string) => `fault-${id}-${since}`;
const overId = (id: string, since: number | string) => `over-${id}-${since}`;

/**
 * Finds the newest fault of an id that this server knows. If another server has found the mailed
 * fault, makes one that says so.
 */
function findEnded(
  faults: readonly KnownFault[],
  id: string,
  since: number,
  now: number,
): KnownFault {
  const faultsOfId = faults.filter((fault) => fault.id === id).sort((a, b) => b.since - a.since);
  const unknown = { id, since, until: now, kind: 'address' as const, isForMail: true };
  return faultsOfId[0] ?? { ...unknown, text: `another server met the fault “${id}”` };
}

/** Writes the mail. @param now milliseconds since 1970 */
export function writeFaults({ fresh, over }: FaultNews, site: BuiltSite, now: number): Letter {
  const { toLetter } = frameOf(site);
  const sentenceOf = (fault: KnownFault) => describeSiteFault(fault, site.timeZone, now);
  const toOver = (fault: KnownFault): string =>
    fault.until === null ? sentenceOf(fault) : `Over: ${lowerFirst(sentenceOf(fault))}`;
  const sentences = [...fresh.map(sentenceOf), ...over.map(toOver)];
  const [first = ''] = sentences;
  const more = sentences.length > 1 ? `, and ${sentences.length - 1} more` : '';
  const advice = fresh.map(({ kind }) => ADVICE[kind]);
  const lines = [...new Set(advice)].map((text): Line => ({ text }));
  return toLetter(
    `${first.replace(/\.$/, '')}${more}`,
    fresh.length > 0 ? 'The site has a fault' : 'A fault of the site is over',
    [
      { lines: sentences.map((text) => ({ text })) },
      { heading: 'What to do', lines },
      {
        heading: 'Where to look',
        lines: [
          { text: 'The site', url: site.siteUrl },
          { text: 'What is wrong now', url: `${site.siteUrl}/healthz` },
          { text: 'docs/operations.md, “SiteWalkFails”, says what to do about each.' },
        ],
      },
    ],
  );
}
