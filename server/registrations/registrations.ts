/** The service for registrations: persons on its interface, encrypted rows in the database. */
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import { newId } from '../database/new-id.ts';
import { emailHashOf, encrypt, type Person } from './encryption.ts';
import type { KeyRing } from './key-ring.ts';
import type { RegistrationRow, RegistrationStore } from './store/registration-store.ts';

/** A registration, and the language of its form's page. */
export type NewRegistration = Registration & { language?: Language };

export interface Registrations {
  /**
   * Keeps the first registration of each e-mail address. The result does not reveal whether the address was known.
   *
   * @param mailDueAt when its mail may be sent
   * @throws (rejects with) the database's error; nothing is kept then
   */
  add(registration: NewRegistration, at: Date, mailDueAt?: Date): Promise<void>;
  /** For the statistics: the number at the start of the day, or null where it is too small to be anonymous. */
  shownTotal(now: Date): Promise<number | null>;
}

/**
 * Lower bound for the shown number. SMA is rare: from a small number, a person who knows a family could guess whether it has
 * registered.
 */
const SHOWN_FROM = 100;
/** The number is rounded and changes once a day, so that registering an address does not reveal whether it was known. */
const SHOWN_IN_STEPS_OF = 10;

/** @param onAdded called when a mail is due */
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

/** Makes a row encrypted with the ring's current key. */
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

const personOf = (registration: NewRegistration): Person => {
  const { firstName, lastName, email, smaType, language = 'en' } = registration;
  return {
    ...{ firstName, lastName, email, smaType: smaType || null },
    ...(language !== 'en' && { language }),
  };
};
