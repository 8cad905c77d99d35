/**
 * Quotas: upper bounds for holders with the same key, such as the open connections of one address.
 * If a new holder exceeds a quota, the holder that has been idle longest is evicted, or if none is
 * idle, the one that has been busy longest. So no holder can keep others out.
 */

/** The key that holders share, and how many of them there may be. */
export interface Quota {
  key: string;
  most: number;
}

/** The holders of one key. Each set has the order in which they became idle or busy. */
interface QuotaGroup<Holder> {
  key: string;
  idle: Set<Holder>;
  busy: Set<Holder>;
}

export type Quotas<Holder> = ReturnType<typeof createQuotas<Holder>>;

/**
 * Creates quotas.
 *
 * @param evict ends an evicted holder, such as a connection. The holder is already removed
 */
export function createQuotas<Holder>(evict: (holder: Holder) => void) {
  const groups = new Map<string, QuotaGroup<Holder>>();
  const groupsOfHolder = new Map<Holder, QuotaGroup<Holder>[]>();

  const findOrMakeGroup = (key: string): QuotaGroup<Holder> => {
    const group = groups.get(key) ?? { key, idle: new Set(), busy: new Set() };
    groups.set(key, group);
    return group;
  };
  const remove = (holder: Holder): void => {
    for (const { key, idle, busy } of groupsOfHolder.get(holder) ?? []) {
      idle.delete(holder);
      busy.delete(holder);
      // Deletes the empty group. It would otherwise stay in memory for each address that ever
      // connected.
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
    for (const group of groupsOfHolder.get(holder) ?? []) {
      group[from].delete(holder);
      group[to].add(holder);
    }
  };
  return {
    /**
     * Adds an idle holder to its quotas, and evicts another holder from each quota that is
     * exceeded.
     */
    add(newcomer: Holder, wantedQuotas: readonly Quota[]): void {
      const groupsOfNewcomer = wantedQuotas.map(({ key }) => findOrMakeGroup(key));
      groupsOfHolder.set(newcomer, groupsOfNewcomer);
      for (const { idle } of groupsOfNewcomer) idle.add(newcomer);
      for (const [i, group] of groupsOfNewcomer.entries())
        if (group.idle.size + group.busy.size > (wantedQuotas[i]?.most ?? 0))
          evictOldest(group, newcomer);
    },
    /** Removes a holder from all of its quotas. */
    remove,
    markBusy: (holder: Holder): void => move(holder, 'idle', 'busy'),
    markIdle: (holder: Holder): void => move(holder, 'busy', 'idle'),
  };
}
