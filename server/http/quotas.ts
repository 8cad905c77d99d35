/**
 * Bounded sets of holders, called rooms, such as the open connections of one address. When a room
 * is full and a further holder comes, the one that is idle for the longest time gives way. If none
 * is idle, the one that is busy for the longest time does. So no holder can keep others out.
 */

/** A room, and how many may be in it. */
export interface Quota {
  key: string;
  most: number;
}

/** Those inside, each in the order in which they became idle or busy. */
interface QuotaGroup<Holder> {
  key: string;
  idle: Set<Holder>;
  busy: Set<Holder>;
}

export type Quotas<Holder> = ReturnType<typeof createQuotas<Holder>>;

/** @param evict ends what the holder does; it is in no room any more */
export function createQuotas<Holder>(evict: (holder: Holder) => void) {
  const groups = new Map<string, QuotaGroup<Holder>>();
  const groupsOfHolder = new Map<Holder, QuotaGroup<Holder>[]>();

  const findOrMakeGroup = (key: string): QuotaGroup<Holder> => {
    const room = groups.get(key) ?? { key, idle: new Set(), busy: new Set() };
    groups.set(key, room);
    return room;
  };
  const remove = (holder: Holder): void => {
    for (const { key, idle, busy } of groupsOfHolder.get(holder) ?? []) {
      idle.delete(holder);
      busy.delete(holder);
      // An empty room would otherwise stay in memory for each address that was ever there.
      if (idle.size + busy.size === 0) groups.delete(key);
    }
    groupsOfHolder.delete(holder);
  };
  const evictOldest = ({ idle, busy }: QuotaGroup<Holder>, newcomer: Holder): void => {
    const [oldestIdle] = idle;
    const [oldestBusy] = busy;
    const oldest = oldestIdle === newcomer ? oldestBusy : oldestIdle;
    if (oldest === undefined) return;
    remove(oldest);
    evict(oldest);
  };
  const move = (holder: Holder, from: 'idle' | 'busy', to: 'idle' | 'busy'): void => {
    for (const room of groupsOfHolder.get(holder) ?? []) {
      room[from].delete(holder);
      room[to].add(holder);
    }
  };
  return {
    /** Lets an idle newcomer in. Others give way in each of the rooms that is full. */
    add(newcomer: Holder, wantedQuotas: readonly Quota[]): void {
      const own = wantedQuotas.map(({ key }) => findOrMakeGroup(key));
      groupsOfHolder.set(newcomer, own);
      for (const { idle } of own) idle.add(newcomer);
      for (const [i, room] of own.entries())
        if (room.idle.size + room.busy.size > (wantedQuotas[i]?.most ?? 0))
          evictOldest(room, newcomer);
    },
    remove,
    markBusy: (holder: Holder): void => move(holder, 'idle', 'busy'),
    markIdle: (holder: Holder): void => move(holder, 'busy', 'idle'),
  };
}
