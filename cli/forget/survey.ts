/** Looks which clicks a visitor has, before `clicks forget` changes anything. */
import { findClicks } from '../../server/clicks/forget/find-clicks.ts';
import { type FoundClick, normalAddress, type Wanted } from '../../server/clicks/forget/wanted.ts';
import { ledgerFiles } from '../../server/clicks/ledger/read-ledger.ts';
import { loggedAddress } from '../../server/http/address.ts';

export interface Survey {
  /** By id. */
  clicks: Map<string, FoundClick>;
  /** Visits with a click from the address, in lower case. */
  visits: Set<string>;
  /** Clicks with only the beginning of the address, as LOG_IP=truncated writes it. */
  truncated: { address: string; clicks: number } | null;
}

/**
 * Finds the clicks of a visitor. All clicks of a visit are of the same person, so an address leads to its visits, and these to
 * clicks without an address.
 *
 * @param ledgers the ledgers' paths
 * @throws (rejects with) the file system's error, or an Error about a damaged archive
 */
export async function surveyClicks(ledgers: readonly string[], wanted: Wanted): Promise<Survey> {
  const clicks = await collect(ledgers, wanted);
  const visits = new Set(
    [...clicks.values()].flatMap(({ visit_id }) => visit_id?.toLowerCase() ?? []),
  );
  const isWider = [...visits].some((visit) => !wanted.visits.has(visit));
  const all = isWider ? await collect(ledgers, { ...wanted, visits }) : clicks;
  return { clicks: all, visits, truncated: await findTruncated(ledgers, wanted, all.size) };
}

async function collect(ledgers: readonly string[], wanted: Wanted): Promise<Survey['clicks']> {
  const clicks: Survey['clicks'] = new Map();
  for (const path of ledgers.flatMap(ledgerFiles)) {
    for await (const lines of findClicks(path, wanted))
      for (const { click } of lines) clicks.set(click.id, click);
  }
  return clicks;
}

/** Only where nothing else was found, because it concerns up to 256 visitors, or a whole site with IPv6. */
async function findTruncated(
  ledgers: readonly string[],
  { address }: Wanted,
  found: number,
): Promise<Survey['truncated']> {
  const short = address && normalAddress(loggedAddress(address, 'truncated') ?? '');
  if (!short || short === address || found > 0) return null;
  const clicks = await collect(ledgers, { visits: new Set(), address: short });
  return clicks.size > 0 ? { address: short, clicks: clicks.size } : null;
}
