/** Limits how many requests of a key, such as an address, are inside at the same time. */
export interface Gate {
  /** @returns null if the gate is full for this key; otherwise a function to call at the end, more than once does no harm */
  enter(key?: string): (() => void) | null;
}

/** Keys without anything inside take no memory. */
export function createGate(room: number): Gate {
  const inside = new Map<string, number>();
  return {
    enter(key = '') {
      const others = inside.get(key) ?? 0;
      if (others >= room) return null;
      inside.set(key, others + 1);
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        const left = (inside.get(key) ?? 1) - 1;
        if (left === 0) inside.delete(key);
        else inside.set(key, left);
      };
    },
  };
}
