/** Storages like those of browsers: one that works, one that is full after a number of characters, one that refuses. */

export function memoryStorage(maxCharacters = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>();
  const size = () => [...items].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, text) {
      const before = items.get(key);
      items.set(key, text);
      if (size() <= maxCharacters) return;
      if (before === undefined) items.delete(key);
      else items.set(key, before);
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

export function refusingStorage(): Storage {
  const refuse = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  return {
    get length() {
      return refuse();
    },
    key: refuse,
    getItem: refuse,
    setItem: refuse,
    removeItem: refuse,
    clear: refuse,
  };
}
