/**
 * Places in which reports are read. Who finds none free waits in a queue, first come, first served.
 * If too many wait, the one that has waited for the longest time gives way to the newcomer.
 */
import type { EventEmitter } from 'node:events';
import { unavailable } from '../http/http-error.ts';

const RETRY_AFTER_S = 30;

interface Options {
  mostRead: number;
  mostWaiting: number;
}

export function createReadingPlaces({ mostRead, mostWaiting }: Options) {
  /** Each starts the reading of one reader. */
  const waiting = new Map<EventEmitter, PromiseWithResolvers<void>>();
  let reading = 0;

  const startNext = () => {
    const [next] = waiting;
    if (!next || reading >= mostRead) return;
    const [reader, { resolve }] = next;
    waiting.delete(reader);
    reading += 1;
    resolve();
  };
  const refuse = (reader: EventEmitter) => {
    waiting.get(reader)?.reject(unavailable('Other reports are being read.', RETRY_AFTER_S));
    waiting.delete(reader);
  };
  return {
    /**
     * Waits for a place.
     *
     * @param reader emits `close` when the client has gone away, and then leaves the queue
     * @returns a function that gives the place back; further calls have no effect
     * @throws (rejects with) HttpError 503 if the reader has to give way
     */
    async take(reader: EventEmitter): Promise<() => void> {
      const turn = Promise.withResolvers<void>();
      waiting.set(reader, turn);
      startNext();
      const [oldest] = waiting.keys();
      if (waiting.size > mostWaiting && oldest) refuse(oldest);
      const leave = () => refuse(reader);
      reader.once('close', leave);
      await turn.promise.finally(() => reader.off('close', leave));
      let isInside = true;
      return () => {
        if (isInside) reading -= 1;
        isInside = false;
        startNext();
      };
    },
  };
}
