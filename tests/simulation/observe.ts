/** Compares new rows and log lines with what visitors have done, and copies them into the book. */
import { identifiedSince } from '../../server/clicks/id-time.ts';
import { DAY_MS, MINUTE_MS } from '../../server/time.ts';
import { coreOf, type PageView, type Pressed, type QueuedEvent, type StoredClick } from './book.ts';
import { time } from './clock.ts';
import { disk } from './disk.ts';
import type { LoggedLine } from './log-reader.ts';
import type { World } from './world.ts';

/** Observes all that is new since the last call. It complains about each difference. */
export function observe(world: World): void {
  const { book, database, log } = world;
  observeOutbox(world);
  for (const line of log.read()) {
    const lines = book.lines.get(coreOf(line.id)) ?? [];
    book.lines.set(coreOf(line.id), [...lines, line]);
    const press = book.pressed.get(coreOf(line.id));
    if (press?.event !== line.event) book.complain(`a line without a press: ${line.id}`);
    if (press && marksDiffer(line, press)) book.complain(`a line with other marks: ${line.id}`);
    if (!line.duplicate && lines.some(({ duplicate, id }) => !duplicate && id === line.id))
      book.complain(`two first lines: ${line.id}`);
  }
  if (log.cut > disk.cuts) book.complain('a broken line, and no disk was full');
  for (const row of database.read(CLICKS, []) as never as Row[]) {
    if (book.stored.has(row.id)) continue;
    book.stored.set(row.id, row);
    book.everStored.add(row.id);
    const press = book.pressed.get(coreOf(row.id));
    if (!press || differs(row, press))
      book.complain(`a row that differs from every press: ${row.id}`);
  }
  for (const row of database.read(VIEWS, []) as never as ViewRow[]) {
    const times = book.everViewed.get(row.id) ?? new Set();
    if (times.has(row.viewed_at)) continue;
    book.everViewed.set(row.id, times.add(row.viewed_at));
    const view = book.views.get(row.id);
    if (!view || differsFrom(view, row))
      book.complain(`a view's row that differs from every view: ${row.id}`);
  }
  for (const { uuid } of database.read(MUST_NOT_WAIT, []))
    book.complain(`must not wait for PostHog: ${uuid}`);
  for (const { uuid } of database.read(REFUSED_TOO_EARLY, [time() - 7 * DAY_MS]))
    book.complain(`refused before seven days or ten attempts: ${uuid}`);
  for (const [core, { id, at }] of book.acknowledged)
    if (!book.lines.get(core)?.some((line) => line.id === id))
      book.complain(`acknowledged, and not in the log: ${id} at ${new Date(at).toISOString()}`);
}

/** Notes which events have left the outbox when the personal data of their day had to go. */
function observeOutbox({ book, database, site }: World): void {
  const events = database.read(EVENTS, []) as never as QueuedEvent[];
  const queued = new Map(events.map((event) => [event.uuid, event]));
  const days = [site.personalDataDays, site.clickRetentionDays].filter((n) => n > 0);
  const keptSince = days.length > 0 ? identifiedSince(Math.min(...days), time()) : 0;
  for (const event of book.queued.values())
    if (!queued.has(event.uuid) && event.queued_at < keptSince) book.expired.set(event.uuid, event);
  book.queued = queued;
}

const EVENTS = 'SELECT uuid, event, queued_at FROM posthog_outbox WHERE event IS NOT NULL';

/** Whether a line has other marks than its press. A forgotten click's line lacks `is_scripted`. */
function marksDiffer(line: LoggedLine, { isAutomated, isScripted }: Pressed): boolean {
  const isToSay = isScripted && line.user_agent !== undefined;
  return (line.is_automated ?? false) !== isAutomated || (line.is_scripted ?? false) !== isToSay;
}

const MUST_NOT_WAIT = `SELECT uuid FROM posthog_outbox JOIN clicks ON id = uuid
  WHERE is_bot OR is_internal OR is_private OR forgotten_at IS NOT NULL`;

const REFUSED_TOO_EARLY = `SELECT uuid FROM posthog_outbox
  WHERE refused LIKE 'retry %' AND (retry_since > $1 OR attempts < 10)`;

const CLICKS = `SELECT id, event, received_at, is_bot, is_internal, is_private, visit_id, seq, referrer,
  clicked_at, forgotten_at, is_automated, is_scripted FROM clicks`;

const VIEWS = 'SELECT id, viewed_at, is_first, is_bot, is_internal, is_automated FROM visits';

interface ViewRow {
  id: string;
  viewed_at: number;
  is_first: number;
  is_bot: number;
  is_internal: number;
  is_automated: number;
}

/**
 * Whether a view's row differs from what the page has sent, or its time is more exact than minutes.
 */
const differsFrom = (
  { isFirst, isBot, isInternal, isAutomated, at }: PageView,
  row: ViewRow,
): boolean =>
  row.is_first !== Number(isFirst) ||
  row.is_bot !== Number(isBot) ||
  row.is_internal !== Number(isInternal) ||
  row.is_automated !== Number(isAutomated) ||
  row.viewed_at % MINUTE_MS !== 0 ||
  row.viewed_at <= at - MINUTE_MS;

interface Row extends StoredClick {
  visit_id: string | null;
  seq: number | null;
  referrer: string | null;
  clicked_at: number | null;
  forgotten_at: number | null;
  is_automated: number;
  is_scripted: number | null;
}

/** Whether a click's row differs from its press. */
function differs(row: Row, press: Pressed): boolean {
  const { isBot, isInternal, isPrivate, isAutomated, isScripted, event, visitId, seq } = press;
  const isMarked =
    row.is_bot === Number(isBot) &&
    row.is_internal === Number(isInternal) &&
    row.is_private === Number(isPrivate) &&
    row.is_automated === Number(isAutomated);
  if (!isMarked || row.event !== event) return true;
  if (row.forgotten_at !== null) return false;
  if (row.received_at < press.at || row.is_scripted !== (isScripted ? 1 : null)) return true;
  if (!press.isAhead && row.id !== press.id) return true;
  // The import of an old line leaves the visit's id empty.
  const isOld = row.visit_id === null && time() - row.received_at > 8 * DAY_MS;
  const isOfVisit = row.visit_id === visitId || isOld;
  return !isOfVisit || row.seq !== seq || row.referrer !== 'clinic-7';
}
