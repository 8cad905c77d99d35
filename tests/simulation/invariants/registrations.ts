/** Checks that each registration is kept encrypted for as long as promised, and gets its mail. */
import { openRow } from '../../../server/registrations/envelope.ts';
import { hashEmail } from '../../../server/registrations/hash-email.ts';
import type { RegistrationRow } from '../../../server/registrations/store-registrations.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../../server/time.ts';
import { time } from '../clock.ts';
import type { World } from '../world.ts';
import { type Check, isHeld, LATE_MS, newestOf } from './check.ts';

const readRegistrations = ({ database }: World) =>
  database.read(
    `SELECT registrations.*, mail_outbox.id AS waits, refused FROM registrations
     LEFT JOIN mail_outbox ON mail_outbox.id = registrations.id`,
    [],
  ) as never as (RegistrationRow & {
    mail_due_at: number;
    waits: string | null;
    refused: string | null;
  })[];

/** All registrations are of visitors, none is lost, and none is kept too long. */
export const registered: Check = async (world) => {
  const { book, site, servers } = world;
  const [server] = servers;
  if (!server) return ['no server runs'];
  const [key] = server.ring;
  const rows = readRegistrations(world);
  const hashes = new Map(rows.map((row) => [row.email_hash, row]));
  const days = site.registrationRetentionDays;
  const since = days === 0 ? 0 : time() - days * DAY_MS;
  const newestAt = Math.max(newestOf(world), ...rows.map(({ registered_at }) => registered_at));
  const lateSince = isHeld(newestAt, since) ? 0 : since - LATE_MS;
  const tried = new Set([...book.tried.keys()].map((email) => hashEmail(key, email)));
  const faults: string[] = [];
  for (const row of rows) {
    const person = await openRow(server.ring, row);
    if (!tried.has(row.email_hash) || hashEmail(key, person.email) !== row.email_hash)
      faults.push(`a registration that no visitor made: ${row.id}`);
    else if (row.registered_at < lateSince) faults.push(`registration not deleted: ${row.id}`);
  }
  for (const [email, at] of book.registered)
    if (at > since && !hashes.has(hashEmail(key, email)))
      faults.push(`registration lost: ${email}`);
  return faults;
};

/** Each registration has its mail, unless it waits or was refused; no mailbox gets too many. */
export const mailed: Check = (world) => {
  const { mails } = world;
  const rows = readRegistrations(world);
  const byId = new Map(
    [...mails.delivered.values()].map((mail) => [mail.messageId.slice(1, 37), mail]),
  );
  const faults = rows.flatMap(({ id, waits, mail_due_at, refused }) => {
    if (byId.has(id)) return waits === null ? [] : [`mail sent, and still waiting: ${id}`];
    if (waits === null) return [`mail never sent: ${id}`];
    const isExcused = refused !== null || mail_due_at > time() - 5 * HOUR_MS;
    return isExcused ? [] : [`mail waits too long: ${id}`];
  });
  const days = Map.groupBy(rows, (row) => `${row.mailbox_hash} ${dayOf(row.mail_due_at)}`);
  for (const [day, list] of days)
    if (list.length > 3) faults.push(`${list.length} mails to one mailbox on a day: ${day}`);
  return faults;
};
