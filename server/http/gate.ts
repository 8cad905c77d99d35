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

/** A gate for each key, such as an address. Keys without anything inside take no memory. */
export interface KeyedGate {
  /** @returns false if the key's gate is full. After true the caller must call `leave` once */
  enter(key: string): boolean;
  leave(key: string): void;
}

export function createKeyedGate(room: number): KeyedGate {
  const inside = new Map<string, number>();
  return {
    enter(key) {
      const others = inside.get(key) ?? 0;
      if (others >= room) return false;
      inside.set(key, others + 1);
      return true;
    },
    leave(key) {
      const others = (inside.get(key) ?? 1) - 1;
      if (others === 0) inside.delete(key);
      else inside.set(key, others);
    },
  };
}
