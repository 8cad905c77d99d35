/**
 * What visitors did and what servers answered. In the end the tables, the logs and PostHog must
 * agree with it.
 */
import { DAY_MS } from '../../server/time.ts';
import { time } from './clock.ts';
import type { LoggedLine } from './log-reader.ts';
import type { PosthogEvent } from './posthog.ts';

/** The part of an id that stays if the browser has to date the click at another day. */
export const coreOf = (id: string): string => id.slice(14);

export interface Pressed {
  id: string;
  visitId: string;
  event: string;
  /** By the world's clock. */
  at: number;
  seq: number;
  isPrivate: boolean;
  isInternal: boolean;
  isBot: boolean;
  isAutomated: boolean;
  isScripted: boolean;
  /** Whether the browser's clock is more than a day ahead. Such a click may count on two days. */
  isAhead: boolean;
  /** Whether a storage has it, so that it must arrive. */
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
  /** Whether the page has sent it with that mark. */
  isBrief: boolean;
  /** When the page sent it first, by the world's clock. */
  at: number;
  isAcknowledged: boolean;
  /** Whether a server has confirmed the mark while it took marks of the view. */
  isKnownAsBrief: boolean;
  /** Whether an operator has forgotten its visit, perhaps while its event waited. */
  isForgotten: boolean;
}

/** An event that a page has sent to POST /k/e/. */
export interface BrowserEvent {
  uuid: string;
  name: string;
  visitId: string;
  isPrivate: boolean;
  /** Whether PostHog must not get it. */
  isLeftOut: boolean;
  isAutomated: boolean;
  /**
   * Whether its time is more than a day ahead. The server leaves such an event out, unless it
   * arrives so late that the time is right by then.
   */
  isAhead: boolean;
  isAcknowledged: boolean;
  /** How many requests with it have reached a server. Each may leave a copy in its queue. */
  copies: number;
}

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

export function makeBook() {
  const complaints: string[] = [];
  const book = {
    complaints,
    pressed: new Map<string, Pressed>(),
    /** Virtual time of the first answer to each click, by the core of its id. */
    acknowledged: new Map<string, { id: string; at: number }>(),
    events: new Map<string, BrowserEvent>(),
    /** By the ids of their rows. */
    views: new Map<string, PageView>(),
    /**
     * The times of the rows that each view ever had, by its id. It gets a second one if its page
     * sends it again after retention has deleted the first one.
     */
    everViewed: new Map<string, Set<number>>(),
    /** Addresses whose registration a server has confirmed, and since when it may have it. */
    registered: new Map<string, number>(),
    /**
     * Addresses that somebody has tried to register, and when first, in any spelling: a server may
     * have kept that try.
     */
    tried: new Map<string, number>(),
    /** All rows since the table was made, by id, and the ids of all rows ever. */
    everStored: new Set<string>(),
    stored: new Map<string, StoredClick>(),
    /** All lines of the logs, by the core of the click's id. */
    lines: new Map<string, LoggedLine[]>(),
    /** Events of views and browsers in the outbox, as the last look found them. */
    queued: new Map<string, QueuedEvent>(),
    /** Those that have left the outbox when they were too old to be kept. */
    expired: new Map<string, QueuedEvent>(),
    /** Ids of clicks and events that an operator has forgotten, and when. */
    forgotten: new Map<string, number>(),
    /** Notes that somebody tries to register. */
    tries(email: string): void {
      const same = [...book.tried].find(([other]) => other.toLowerCase() === email.toLowerCase());
      book.tried.set(email, same?.[1] ?? time());
    },
    complain(text: string): void {
      if (complaints.length < 20 && !complaints.includes(text)) complaints.push(text);
    },
    /** Notes that PostHog stores an event. @param askedAt when the server sent the batch */
    sent({ uuid, event, distinct_id, timestamp, properties }: PosthogEvent, askedAt: number): void {
      const forgottenAt = book.forgotten.get(uuid) ?? Number.POSITIVE_INFINITY;
      if (askedAt > forgottenAt) book.complain(`forgotten, and sent to PostHog: ${uuid}`);
      if (properties.$ip !== '192.0.2.0') book.complain(`with an address at PostHog: ${uuid}`);
      const press = book.pressed.get(coreOf(uuid));
      const other = book.events.get(uuid);
      const view = [...book.views.values()].find(({ visitId }) => visitId === distinct_id);
      const page = event === '$pageview' ? view : (press ?? other);
      if (page && properties.is_automated !== page.isAutomated)
        book.complain(`PostHog has another mark of an automated browser: ${uuid}`);
      if (event === 'cta_click') {
        // While PostHog was away, the row may have lost its visit id.
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
    },
    /** Notes that the SMTP server takes a mail. */
    mailed({ to, text }: { to: { address: string }[]; text: string }): void {
      const [{ address = '' } = {}] = to;
      if (!book.tried.has(address)) book.complain(`a mail to somebody else: ${address}`);
      if (text.includes('Ana')) book.complain('a mail has the words of a visitor');
    },
    /** Returns the time in the line of a click. */
    timeOf: (id: string): unknown =>
      book.lines.get(coreOf(id))?.find(({ timestamp }) => timestamp !== undefined)?.timestamp ??
      book.times.get(id),
    /** Time of each click by its browser's clock, as ISO 8601. */
    times: new Map<string, string>(),
  };
  return book;
}
