/** Checks that PostHog has all events that it must have, and no other; nothing waits at the end. */
import { identifiedSince } from '../../../server/clicks/id-time.ts';
import { coreOf } from '../book.ts';
import { NEW_EVENT } from '../new-button.ts';
import { isDropped, isPoison } from '../posthog.ts';
import type { World } from '../world.ts';
import { type Check, clicksInTable } from './check.ts';

/** Each counted click is at PostHog or was refused; no other click is there. */
export const clicksAtPosthog: Check = (world) => {
  const { book, posthog, site, resentAt } = world;
  const refused = refusedByPosthog(world);
  const faults: string[] = [];
  // A table that is rebuilt from the logs lacks the visits of older clicks, so they are not sent.
  const sentSince = resentAt === 0 ? 0 : identifiedSince(site.personalDataDays, resentAt);
  for (const row of clicksInTable(world)) {
    const { id, received_at, is_bot, is_internal, is_private, forgotten_at } = row;
    const isCounted = !is_bot && !is_internal && !is_private && forgotten_at === null;
    const isDue = isCounted && received_at >= sentSince;
    if (isDue && !posthog.received.has(id) && !refused.has(id))
      faults.push(`neither at PostHog nor refused: ${id}`);
  }
  for (const [id, { event }] of posthog.received) {
    const press = book.pressed.get(coreOf(id));
    const isWrong = !press || press.isBot || press.isInternal || press.isPrivate;
    if (event.event === 'cta_click' && (isWrong || !book.everStored.has(id)))
      faults.push(`must not be at PostHog: ${id}`);
  }
  return faults;
};

const refusedByPosthog = ({ database }: World) =>
  new Set(database.read(REFUSED, []).map(({ uuid }) => String(uuid)));

/**
 * PostHog's words, and those of a server after seven days. A server that went back to the version
 * before a button cannot make the events of its clicks. (observe.ts looks at the seven days.)
 */
const REASONS: Record<string, (uuid: string, event: string | undefined) => boolean> = {
  drop: isDropped,
  request_parsing_error: isPoison,
  'retry for 7 days: no reason given': () => true,
  'retry for 7 days: this server does not know the button': (_, event) => event === NEW_EVENT,
};

/** Each refused event has a reason that is true. */
export const refusedWithReason: Check = ({ book, database }) =>
  database.read(REFUSED, []).flatMap((row) => {
    const [uuid, reason] = [String(row.uuid), String(row.refused)];
    const isTrue = REASONS[reason]?.(uuid, book.pressed.get(coreOf(uuid))?.event);
    return isTrue ? [] : [`refused without a reason: ${uuid} (${reason})`];
  });
const REFUSED = 'SELECT uuid, refused FROM posthog_outbox WHERE refused IS NOT NULL';

export const eventsAtPosthog: Check = (world) => {
  const { book, posthog } = world;
  const refused = refusedByPosthog(world);
  return [...book.events.values()].flatMap((sent) => {
    const { uuid, isLeftOut, isAhead, isAcknowledged } = sent;
    const isGone = book.forgotten.has(uuid) || book.expired.has(uuid);
    const isThere = posthog.received.has(uuid) || refused.has(uuid) || isGone;
    if (isLeftOut && posthog.received.has(uuid)) return [`must not be at PostHog: ${uuid}`];
    const mustBeThere = isAcknowledged && !isLeftOut && !isAhead;
    if (mustBeThere && !isThere) return [`event not at PostHog: ${uuid}`];
    return [];
  });
};

/** PostHog has one event of a view for each of its rows, and none otherwise. */
export const viewsAtPosthog: Check = ({ book, posthog, database }) => {
  const sent = [...posthog.received.values()]
    .map(({ event }) => event)
    .filter(({ event }) => event === '$pageview');
  const refused = database.read(REFUSED_VIEWS, []).map(({ event }) => JSON.parse(String(event)));
  const expired = [...book.expired.values()]
    .map(({ event }) => JSON.parse(event))
    .filter(({ event }) => event === '$pageview');
  // PostHog may have an event that it has asked for again for so long that the server has refused
  // it.
  const visitOf = new Map(
    [...sent, ...refused, ...expired].map((one) => [one.uuid, one.distinct_id]),
  );
  const ended = [...visitOf.values()];
  return [...book.views.values()].flatMap((view) => {
    const { id, visitId, isBot, isInternal, isAcknowledged, isForgotten } = view;
    const rows = book.everViewed.get(id)?.size ?? 0;
    if (isAcknowledged && rows === 0) return [`view lost: ${id}`];
    const expected = isBot || isInternal ? 0 : rows;
    const found = ended.filter((visit) => visit === visitId).length;
    const isRight = isForgotten ? found <= expected : found === expected;
    return isRight ? [] : [`a view with ${found} events, of ${expected}: ${id}`];
  });
};
const REFUSED_VIEWS = `SELECT event FROM posthog_outbox
  WHERE refused IS NOT NULL AND event LIKE '%"event":"$pageview"%'`;

/** Neither the outbox for PostHog nor a browser's storage has anything left. */
export const nothingWaits: Check = ({ database, visitors }) => {
  const rows = database.read('SELECT uuid FROM posthog_outbox WHERE refused IS NULL', []);
  const left = visitors.flatMap(({ storage }) =>
    [...storage.map.keys()].filter((key) => key !== 'clicks-dropped'),
  );
  return [
    ...(rows.length > 0 ? [`${rows.length} events wait for PostHog`] : []),
    ...left.map((key) => `left in a browser's storage: ${key}`),
  ];
};
