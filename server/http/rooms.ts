/**
 * Bounded sets of holders, called rooms, such as the open connections of one address. When a room
 * is full and a further holder comes, the one that is idle for the longest time gives way. If none
 * is idle, the one that is busy for the longest time does. So no holder can keep others out.
 */

/** A room, and how many may be in it. */
export interface Place {
  key: string;
  most: number;
}

/** Those inside, each in the order in which they became idle or busy. */
interface Room<Holder> {
  key: string;
  idle: Set<Holder>;
  busy: Set<Holder>;
}

export type Rooms<Holder> = ReturnType<typeof createRooms<Holder>>;

/** @param giveWay ends what the holder does; it is in no room any more */
export function createRooms<Holder>(giveWay: (holder: Holder) => void) {
  const rooms = new Map<string, Room<Holder>>();
  const roomsOf = new Map<Holder, Room<Holder>[]>();

  const roomOf = (key: string): Room<Holder> => {
    const room = rooms.get(key) ?? { key, idle: new Set(), busy: new Set() };
    rooms.set(key, room);
    return room;
  };
  const leave = (holder: Holder): void => {
    for (const { key, idle, busy } of roomsOf.get(holder) ?? []) {
      idle.delete(holder);
      busy.delete(holder);
      // An empty room would otherwise stay in memory for each address that was ever there.
      if (idle.size + busy.size === 0) rooms.delete(key);
    }
    roomsOf.delete(holder);
  };
  const makeRoom = ({ idle, busy }: Room<Holder>, newcomer: Holder): void => {
    const [oldestIdle] = idle;
    const [oldestBusy] = busy;
    const oldest = oldestIdle === newcomer ? oldestBusy : oldestIdle;
    if (oldest === undefined) return;
    leave(oldest);
    giveWay(oldest);
  };
  const move = (holder: Holder, from: 'idle' | 'busy', to: 'idle' | 'busy'): void => {
    for (const room of roomsOf.get(holder) ?? []) {
      room[from].delete(holder);
      room[to].add(holder);
    }
  };
  return {
    /** Lets an idle newcomer in. Others give way in each of the rooms that is full. */
    enter(newcomer: Holder, places: readonly Place[]): void {
      const own = places.map(({ key }) => roomOf(key));
      roomsOf.set(newcomer, own);
      for (const { idle } of own) idle.add(newcomer);
      for (const [i, room] of own.entries())
        if (room.idle.size + room.busy.size > (places[i]?.most ?? 0)) makeRoom(room, newcomer);
    },
    leave,
    becomeBusy: (holder: Holder): void => move(holder, 'idle', 'busy'),
    becomeIdle: (holder: Holder): void => move(holder, 'busy', 'idle'),
  };
}
