/** The page view of one tab, as browser/visits/send-view.ts sends it. */
import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { time } from './clock.ts';
import { random } from './random.ts';
import { PAGE_URL } from './site.ts';
import type { Visitor } from './visitors.ts';
import type { World } from './world.ts';

interface Parts {
  visitId: string;
  /** The browser's clock. */
  now: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  isAlive: () => boolean;
}

export function makePageView(world: World, visitor: Visitor, parts: Parts) {
  const { visitId, now, isAlive } = parts;
  const view: ViewBody & { id: string } = {
    id: random.uuid(),
    visit_id: visitId,
    timestamp: new Date(now()).toISOString(),
    page_url: new URL('/', PAGE_URL).href,
    referrer: 'clinic-7',
    is_first: random.chance(0.7),
    is_automated: visitor.isAutomated,
  };
  /** Whether the page view must be sent again. */
  let hasFailed = false;
  const giveUp = () => {
    hasFailed = true;
  };
  const send = (isBrief?: true) => {
    if (!isAlive() || visitor.hasOptedOut || visitor.isPrivate) return;
    hasFailed = false;
    note(world, visitor, view, isBrief ?? false);
    const marks = { is_internal: visitor.isInternal || undefined, is_brief: isBrief };
    const body = JSON.stringify({ ...view, ...marks });
    parts.fetch(VIEW_PATH, { body }).then(({ ok }) => ok || giveUp(), giveUp);
  };
  return {
    /** Sends the view, also if it may have arrived before. */
    send: () => send(),
    sendIfFailed: () => hasFailed && send(),
    /**
     * Sends the view with the mark of one that ended at once. Both requests of a page that sent its
     * view before may arrive in any order.
     */
    sendAsBrief: () => send(true),
  };
}

/** Notes what the page sends. */
function note(
  { book }: World,
  visitor: Visitor,
  sent: ViewBody & { id: string },
  isBrief: boolean,
) {
  const { id, visit_id: visitId, is_first: isFirst } = sent;
  const before = book.views.get(id);
  book.views.set(id, {
    id,
    visitId,
    isFirst,
    isInternal: visitor.isInternal,
    isBot: visitor.isRobot,
    isAutomated: visitor.isAutomated,
    isBrief: isBrief || (before?.isBrief ?? false),
    at: before?.at ?? time(),
    isAcknowledged: before?.isAcknowledged ?? false,
    isKnownAsBrief: before?.isKnownAsBrief ?? false,
    isForgotten: before?.isForgotten ?? false,
  });
}
