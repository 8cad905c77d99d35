/** Defines a fault of the site as visitors meet it, with the words in which operators read it. */

/** Kinds of faults. They are the label of the metric `site_walk_faults`. */
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
  /** Kind and cause: `portal-away`. Faults of one cause at several paths have the same id. */
  id: string;
  kind: FaultKind;
  /** What is wrong, after "Since 14:05": `the button leads to an error of the portal (502)`. */
  text: string;
  /** Path of the page or file at which the walk has met the fault. */
  at?: string;
}

/** Makes a fault. @param cause distinguishes the faults of one kind */
export const makeFault = (kind: FaultKind, cause: string, text: string): SiteFault => ({
  id: `${kind}-${cause}`,
  kind,
  text,
});

/** Number of paths that a sentence names. It counts the others: `and 4 more`. */
const NAMED_PATHS = 3;

/** Joins the faults with the same id into one fault, whose text names their paths. */
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
