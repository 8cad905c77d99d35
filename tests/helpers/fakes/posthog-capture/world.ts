/** Facts about the stand-in that hold until a test changes them. */
export interface World {
  /** The server's clock, in milliseconds since 1970. */
  now: () => number;
  /** Cuts every connection. */
  isDown: boolean;
  isOverQuota: boolean;
  /** UUIDs of events that V1 never stores, and asks for again. */
  unstorable: Set<string>;
  /** UUIDs of events for which V1 refuses their whole batch. */
  poisonous: Set<string>;
}

export const newWorld = (): World => ({
  now: Date.now,
  isDown: false,
  isOverQuota: false,
  unstorable: new Set(),
  poisonous: new Set(),
});
