/**
 * The book of a run: what visitors have done, and what servers have answered. At the end, tables,
 * logs and PostHog must agree with it.
 */
import { DAY_MS } from '../../server/time.ts';
import { time } from './clock.ts';
import type { LoggedLine } from './log-reader.ts';
import type { PosthogEvent } from './posthog.ts';

/**
 * Returns the random part of a UUID v7. It stays the same if the browser has to date a click's id
 * to the server's day, so that it identifies the click.
 */
export const coreOf = (id: string): string => id.slice(14);

/** A press of a call to action by a visitor. */
export interface Pressed {
  id: string;
  visitId: string;
  event: string;
  /** Time by the world's clock, in milliseconds since 1970. */
  at: number;
  seq: number;
  isPrivate: boolean;
  isInternal: boolean;
  isBot: boolean;
  isAutomated: boolean;
  isScripted: boolean;
  /** Whether the browser's clock is more than a day ahead. Such a click may count on two days. */
  isAhead: boolean;
  /** Whether a browser's storage has the click, so that it must reach the table. */
  isOwed: boolean;
}

/** A page view that a page has sent to POST /k/visit. */
export interface PageView {
  id: string;
  visitId: string;
  isFirst: boolean;
  isInternal: boolean;
  isBot: boolean;
  isAutomated: boolean;
  /** Whether the page has sent the view with `is_brief`. */
  isBrief: boolean;
  /** When the page first sent the view, by the world's clock. */
  at: number;
  isAcknowledged: boolean;
  /** Whether a server has confirmed `is_brief` in time, so that the row must have that mark. */
  isKnownAsBrief: boolean;
  /** Whether an operator has forgotten the view's visit, perhaps while its event waited. */
  isForgotten: boolean;
}

/** An event that a page has sent to POST /k/e/. */
export interface BrowserEvent {
  uuid: string;
  name: string;
  visitId: string;
  isPrivate: boolean;
  /** Whether the visitor is one whose events PostHog must not get. */
  isLeftOut: boolean;
  isAutomated: boolean;
  /**
   * Whether the event's time is more than a day ahead. The server drops such an event, unless it
   * arrives so late that its time has come.
   */
  isAhead: boolean;
  isAcknowledged: boolean;
  /** How many requests with it have reached a server. Each may leave a copy in its queue. */
  copies: number;
}

/** The columns of a click's row that all checks use. */
export interface StoredClick {
  id: string;
  event: string;
  received_at: number;
  is_bot: number;
  is_internal: number;
  is_private: number;
}

/** An event in the outbox that is no click's. */
export interface QueuedEvent {
  uuid: string;
  event: string;
  queued_at: number;
}

export type Book = ReturnType<typeof makeBook>;

/** Creates an empty book. */
export function makeBook() {
  /** Faults that were found during the run. */
  const complaints: string[] = [];
  const book = {
    complaints,
    pressed: new Map<string, Pressed>(),
    /**
     * Clicks that a server has confirmed, by `coreOf` of their ids, with the time of the answer.
     */
    acknowledged: new Map<string, { id: string; at: number }>(),
    events: new Map<string, BrowserEvent>(),
    /** Page views, by the ids of their rows. */
    views: new Map<string, PageView>(),
    /**
     * Times of all rows that a view ever had, by its id. A view gets a second row if its page sends
     * it again after retention has deleted the first one.
     */
    everViewed: new Map<string, Set<number>>(),
    /** Addresses whose registration a server has confirmed, each with the time of the first try. */
    registered: new Map<string, number>(),
    /**
     * Addresses that somebody has tried to register, each with the time of the first try in any
     * spelling: a server may have stored that one.
     */
    tried: new Map<string, number>(),
    /** Ids of all clicks that ever were in the table. */
    everStored: new Set<string>(),
    /** Rows of clicks since the table was last rebuilt, by their ids. */
    stored: new Map<string, StoredClick>(),
    /** Lines of the click logs, by `coreOf` of the click's id. */
    lines: new Map<string, LoggedLine[]>(),
    /** Events of views and browsers in the outbox, as the last look found them. */
    queued: new Map<string, QueuedEvent>(),
    /** Events that have left the outbox when they were too old to be kept. */
    expired: new Map<string, QueuedEvent>(),
    /** Ids of clicks and events that an operator has forgotten, each with the time. */
    forgotten: new Map<string, number>(),
    /** Notes that somebody tries to register an address. */
    tries(email: string): void {
      const same = [...book.tried].find(([other]) => other.toLowerCase() === email.toLowerCase());
      book.tried.set(email, same?.[1] ?? time());
    },
    complain(text: string): void {
      if (complaints.length < 20 && !complaints.includes(text)) complaints.push(text);
    },
    /** Checks an event that PostHog stores. @param askedAt when the server sent the batch */
    sent: (event: PosthogEvent, askedAt: number): void => checkSent(book, event, askedAt),
    /** Checks a mail that the SMTP server accepts. */
    mailed({ to, text }: { to: { address: string }[]; text: string }): void {
      const [{ address = '' } = {}] = to;
      if (!book.tried.has(address)) book.complain(`a mail to somebody else: ${address}`);
      if (text.includes('Ana')) book.complain('a mail has the words of a visitor');
    },
    /** Returns the time in the log line of a click; without a line, that of its browser's clock. */
    timeOf: (id: string): unknown =>
      book.lines.get(coreOf(id))?.find(({ timestamp }) => timestamp !== undefined)?.timestamp ??
      book.times.get(id),
    /** Time of each click by its browser's clock, in ISO 8601. */
    times: new Map<string, string>(),
  };
  return book;
}

/** Compares an event that PostHog stores with what visitors and operators have done. */
function checkSent(book: Book, sent: PosthogEvent, askedAt: number): void {
  const { uuid, event, distinct_id, timestamp, properties } = sent;
  const forgottenAt = book.forgotten.get(uuid) ?? Number.POSITIVE_INFINITY;
  if (askedAt > forgottenAt) book.complain(`forgotten, and sent to PostHog: ${uuid}`);
  if (properties.$ip !== '192.0.2.0') book.complain(`with an address at PostHog: ${uuid}`);
  const press = book.pressed.get(coreOf(uuid));
  const other = book.events.get(uuid);
  const view = [...book.views.values()].find(({ visitId }) => visitId === distinct_id);
  const source = event === '$pageview' ? view : (press ?? other);
  if (source && properties.is_automated !== source.isAutomated)
    book.complain(`PostHog has another mark of an automated browser: ${uuid}`);
  if (event === 'cta_click') {
    // If PostHog was down for days, retention may have emptied the row's visit id.
    const isOld = press && time() - press.at > 8 * DAY_MS;
    const isOwn = distinct_id === press?.visitId || (isOld && distinct_id === uuid);
    const isRight = press && properties.event_id === uuid && isOwn;
    if (!isRight) book.complain(`PostHog has a click that differs from every press: ${uuid}`);
    if (press && !press.isAhead && timestamp !== book.timeOf(uuid))
      book.complain(`PostHog has another time than the browser's: ${uuid}`);
  } else if (event === '$pageview') {
    if (!view) book.complain(`PostHog has a view that no page sent: ${uuid}`);
    if (book.views.has(uuid)) book.complain(`PostHog has the id of a view's row: ${uuid}`);
  } else if (!other || other.name !== event || other.visitId !== distinct_id)
    book.complain(`PostHog has an event that no page sent: ${event} ${uuid}`);
}
