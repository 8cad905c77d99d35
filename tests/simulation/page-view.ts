/** Sends the page view of a simulated tab, as browser/visits/send-view.ts does. */
import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { time } from './clock.ts';
import { random } from './random.ts';
import { PAGE_URL } from './site.ts';
import type { Visitor } from './visitors.ts';
import type { World } from './world.ts';

/** What the page view needs of its tab. */
interface TabAccess {
  visitId: string;
  /** The browser's clock. */
  now: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  isAlive: () => boolean;
}

export function makePageView(world: World, visitor: Visitor, tab: TabAccess) {
  const { visitId, now, isAlive } = tab;
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
    noteInBook(world, visitor, view, isBrief ?? false);
    const marks = { is_internal: visitor.isInternal || undefined, is_brief: isBrief };
    const body = JSON.stringify({ ...view, ...marks });
    tab.fetch(VIEW_PATH, { body }).then(({ ok }) => ok || giveUp(), giveUp);
  };
  return {
    /** Sends the view, even if it has been sent before. */
    send: () => send(),
    sendIfFailed: () => hasFailed && send(),
    /** Sends the view with `is_brief`. The page's earlier request may arrive after this one. */
    sendAsBrief: () => send(true),
  };
}

/** Notes in the book what the page sends. */
function noteInBook(
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
