/**
 * Limits how many reports are read at the same time (a semaphore with a bounded queue). Readers who
 * find no free place wait, first come, first served. If the queue is full, the reader who has
 * waited longest is refused, because he has probably given up.
 */
import type { EventEmitter } from 'node:events';
import { unavailable } from '../http/http-error.ts';

const RETRY_AFTER_S = 30;

interface Options {
  /** Number of places. */
  mostRead: number;
  /** Length of the queue. */
  mostWaiting: number;
}

/** Creates the places, all of them free. */
export function createReadingPlaces({ mostRead, mostWaiting }: Options) {
  /** The queue: readers in their order, each with the promise that gives him a place. */
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
     * Waits for a free place, and takes it.
     *
     * @param reader the response. If it emits `close`, the client is gone, and it leaves the queue
     * @returns a function that gives the place back; further calls have no effect
     * @throws (rejects with) HttpError 503 if the queue is full
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
