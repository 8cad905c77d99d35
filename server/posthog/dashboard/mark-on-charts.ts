/** Marks on PostHog's charts for what the server noticed: an outage, or a replay. */
import { annotationSchema } from '../management/answers.schema.ts';
import { annotationBodySchema } from '../management/bodies.schema.ts';
import type { Management } from '../management/management-api.ts';

export interface Mark {
  kind: 'outage' | 'replay';
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  text: string;
}

/** `npm run posthog:provision` leaves these marks alone, because they have a tag of their own. */
const COMMENT = /<!-- site:(outage|replay):(\S+)\/(\S+) -->/;
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
    content: `${mark.text} <!-- site:${mark.kind}:${iso(mark.from)}/${iso(mark.to)} -->`,
    date_marker: iso(mark.from),
    scope: 'project',
    creation_type: 'GIT',
  });
  await api.createOnce('POST', 'annotations/', { body, schema: annotationSchema, find });
}

function isSame({ kind, from, to }: Mark, content: string): boolean {
  const [, itsKind, itsFrom = '', itsTo = ''] = COMMENT.exec(content) ?? [];
  const slack = kind === 'outage' ? SAME_OUTAGE_MS : 0;
  const overlaps = Date.parse(itsFrom) <= to + slack && Date.parse(itsTo) >= from - slack;
  return itsKind === kind && overlaps;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** @param reason in words, such as "it was over its quota" */
export function outageMark(from: number, to: number, reason: string): Mark {
  const time = (ms: number) => iso(ms).slice(0, 16).replace('T', ' ');
  return {
    kind: 'outage',
    from,
    to,
    text: `PostHog took no events from ${time(from)} to ${time(to)} UTC: ${reason}. The server delivered them afterwards.`,
  };
}

/** @param events number of events that were sent */
export const replayMark = (from: number, to: number, events: number): Mark => ({
  kind: 'replay',
  from,
  to,
  text: `${events.toLocaleString('en-US')} clicks were sent again from the log.`,
});
