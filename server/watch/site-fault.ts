/** A fault of the site as visitors meet it, and how operators read it. */

/** Label of the metric `site_walk_faults`. */
export const FAULT_KINDS = [
  'address',
  'certificate',
  'page',
  'button',
  'script',
  'policy',
  'file',
  'link',
  'click',
  'portal',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface SiteFault {
  /** Kind and cause, which are the same at each path of the fault: `portal-away`. */
  id: string;
  kind: FaultKind;
  /** Follows "Since 14:05": `the button leads to an error of the portal (502)`. */
  text: string;
  /** Path at which it shows. */
  at?: string;
}

/** @param cause names the fault among those of its kind */
export const makeFault = (kind: FaultKind, cause: string, text: string): SiteFault => ({
  id: `${kind}-${cause}`,
  kind,
  text,
});

/** Paths that a sentence names. The others are a number. */
const NAMED_PATHS = 3;

/** Joins the faults of one cause into one whose text has their paths. */
export function joinFaults(faults: readonly SiteFault[]): SiteFault[] {
  const groups = Object.values(Object.groupBy(faults, ({ id }) => id));
  return groups.flatMap((group = []) => {
    const [first] = group;
    if (!first) return [];
    const paths = [...new Set(group.flatMap(({ at }) => at ?? []))];
    const { id, kind, text } = first;
    return [{ id, kind, text: `${text}${describePaths(paths)}` }];
  });
}

function describePaths(paths: string[]): string {
  if (paths.length === 0) return '';
  const others = paths.length - NAMED_PATHS;
  const more = others > 0 ? ` and ${others} more` : '';
  return ` (at ${paths.slice(0, NAMED_PATHS).join(', ')}${more})`;
}
