/** Makes marks on PostHog's charts, each once. */
import { annotationSchema } from '../management/answers.schema.ts';
import { annotationBodySchema } from '../management/bodies.schema.ts';
import type { Management } from '../management/management-api.ts';
import type { Mark } from './marks.ts';

/** `npm run posthog:provision` leaves these marks alone, because they have a tag of their own. */
const COMMENT = /<!-- site:(outage|replay):([^\s/<]+)\/([^\s/<]+) -->/;
/** Several servers notice the same outage, at slightly different times. */
const SAME_OUTAGE_MS = 10 * 60 * 1000;

/**
 * Makes the mark, unless there is one for the same time.
 *
 * @throws ManagementError
 */
export async function markOnCharts(api: Management, mark: Mark): Promise<void> {
  const find = async () => {
    const all = await api.list(`annotations/?search=site:${mark.kind}`, annotationSchema);
    return all.find(({ content }) => isSame(mark, content ?? '')) ?? null;
  };
  if (await find()) return;
  const body = annotationBodySchema.parse({
    content: `${mark.text} ${commentOf(mark)}`,
    date_marker: iso(mark.from),
    scope: 'project',
    creation_type: 'GIT',
  });
  await api.createOnce('POST', 'annotations/', { body, schema: annotationSchema, find });
}

/** An outage is the same if it overlaps. A replay is a command, so only an equal one is the same. */
function isSame({ kind, from, to }: Mark, content: string): boolean {
  const [comment, itsKind, itsFrom = '', itsTo = ''] = COMMENT.exec(content) ?? [];
  if (kind === 'replay') return comment === commentOf({ kind, from, to });
  const startsBefore = Date.parse(itsFrom) <= to + SAME_OUTAGE_MS;
  return itsKind === kind && startsBefore && Date.parse(itsTo) >= from - SAME_OUTAGE_MS;
}

const commentOf = ({ kind, from, to }: Omit<Mark, 'text'>): string =>
  `<!-- site:${kind}:${iso(from)}/${iso(to)} -->`;

const iso = (ms: number): string => new Date(ms).toISOString();
