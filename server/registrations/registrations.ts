/** Registrations as the rest of the server knows them: people above, encrypted rows below. */
import type { Registration } from '#contract/register.schema.ts';
import { newId } from '../database/new-id.ts';
import { emailHashOf, encrypt, type Person } from './encryption.ts';
import type { KeyRing } from './key-ring.ts';
import type { RegistrationRow, RegistrationStore } from './store/registration-store.ts';

export interface Registrations {
  /**
   * Keeps one entry per e-mail address, the first, and never tells whether the address was known.
   *
   * @param mailDueAt when its mail may be sent
   * @throws (rejects with) the store's error; nothing was kept then
   */
  add(registration: Registration, at: Date, mailDueAt?: Date): Promise<void>;
  /** For the statistics: how many there were when the day began, or null where that could point at somebody. */
  shownTotal(now: Date): Promise<number | null>;
}

/**
 * Shown from this many on. SMA is rare: of a small number, somebody who knows one family could tell whether that family
 * is among them.
 */
const SHOWN_FROM = 100;
/** Together with the day: who registers an address and looks whether the number grows learns nothing about the address. */
const SHOWN_IN_STEPS_OF = 10;

/** @param onAdded a mail is due */
export function createRegistrations(
  store: RegistrationStore,
  ring: KeyRing,
  onAdded: () => void,
): Registrations {
  let shown: { day: string; total: Promise<number> } | null = null;
  return {
    async add(registration, at, mailDueAt = at) {
      const [, ...older] = ring;
      const person = personOf(registration);
      const row = makeRow(ring, newId(), at, person);
      await store.add(
        row,
        older.map((key) => emailHashOf(key, person.email)),
        mailDueAt,
      );
      onAdded();
    },
    async shownTotal(now) {
      const day = now.toISOString().slice(0, 10);
      if (shown?.day !== day) {
        const total = store.countBefore(new Date(day));
        shown = { day, total };
        total.catch(() => {
          shown = null;
        });
      }
      const total = await shown.total;
      return total < SHOWN_FROM ? null : total - (total % SHOWN_IN_STEPS_OF);
    },
  };
}

/** Encrypted with the ring's current key. */
export function makeRow(
  ring: KeyRing,
  id: string,
  createdAt: Date,
  person: Person,
): RegistrationRow {
  const [current] = ring;
  return {
    id,
    createdAt,
    emailHash: emailHashOf(current, person.email),
    keyId: current.id,
    encrypted: encrypt(current, id, person),
  };
}

const personOf = ({ firstName, lastName, email, smaType }: Registration): Person => ({
  firstName,
  lastName,
  email,
  smaType: smaType || null,
});
