/** Sends the events that wait in the database. */
import type { Trouble } from '../capture/capture.ts';
import type { ReceiptStore, WaitingEvent } from '../receipts/receipt-store.ts';
import { delayAfter } from './pace.ts';
import type { Sender, SenderParts } from './sender.ts';

/** Upper bounds of the waiting events. They are about two days of a busy site. */
export interface Room {
  events: number;
  bytes: number;
}
export const ROOM: Room = { events: 200_000, bytes: 200 * 1024 * 1024 };

export async function hasRoom(store: Pick<ReceiptStore, 'waitingSize'>, room: Room) {
  const { events, bytes } = await store.waitingSize();
  return events < room.events && bytes < room.bytes;
}

/** Sends what is due. After a failure it returns when the pause is over. */
export async function forwardWaiting(parts: SenderParts, sender: Sender): Promise<void> {
  const { store, now } = parts;
  for (;;) {
    const began = performance.now();
    const due = await store.dueEvents(new Date(now()), sender.size());
    if (due.length === 0) return;
    const sent = await sender.send(due);
    await store.discard(sent.done.map(uuidOf));
    await postpone(parts, [...sent.again, ...sent.held], sent.trouble);
    if (sent.trouble) return sender.pause(sent);
    await sender.rest(began);
  }
}

/** Each event has a delay of its own, so that one which PostHog never takes does not hold up the others. */
async function postpone(
  { store, now, pace, random }: SenderParts,
  events: readonly WaitingEvent[],
  trouble: Trouble | null,
): Promise<void> {
  const groups = Map.groupBy(events, ({ attempts }) => attempts);
  for (const [attempts, group] of groups) {
    const dueAt = new Date(now() + delayAfter(attempts + 1, trouble, pace, random()));
    await store.postpone(group.map(uuidOf), dueAt);
  }
}

const uuidOf = ({ event }: WaitingEvent) => event.uuid;
