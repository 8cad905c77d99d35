/** Facts about the stand-in that hold until a test changes them. */
export interface World {
  /** The server's clock, in milliseconds since 1970. */
  now: () => number;
  /** Cuts every connection. */
  isDown: boolean;
  isOverQuota: boolean;
  /** UUIDs of events that V1 never stores, and asks for again. */
  unstorable: Set<string>;
  /** False: 404 on V1. */
  hasV1: boolean;
  /** False: 404 on V0. */
  hasV0: boolean;
  /** Names in the answer of V0 that are over their quota; null: the answer has no such field. */
  quotaLimited: string[] | null;
  /** The only key with a project; null: every key has one. V0 takes other keys' events and loses them. */
  project: string | null;
}

export const newWorld = (): World => ({
  now: Date.now,
  isDown: false,
  isOverQuota: false,
  unstorable: new Set(),
  hasV1: true,
  hasV0: true,
  quotaLimited: null,
  project: null,
});
