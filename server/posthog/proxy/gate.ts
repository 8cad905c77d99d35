/** Limits how many requests are inside at the same time. */
export interface Gate {
  /** @returns false if the gate is full. After true the caller must call `leave` once */
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
