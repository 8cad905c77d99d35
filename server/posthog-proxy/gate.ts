/** Counts how many pass through at the same time, and lets no more in than there is room for. */
export interface Gate {
  /** @returns false where it is full; true obliges the caller to `leave` once */
  enter(): boolean;
  leave(): void;
}

export function createGate(room: number): Gate {
  let inside = 0;
  return {
    enter() {
      if (inside >= room) return false;
      inside += 1;
      return true;
    },
    leave() {
      inside -= 1;
    },
  };
}
