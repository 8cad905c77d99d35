/** What must hold in the end. Each check returns a sentence for each fault. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logDays } from '#contract/log-days.ts';
import { clicksKeptSince, identifiedSince } from '../../server/clicks/id-time.ts';
import { decrypt, hashEmail } from '../../server/registrations/encryption.ts';
import type { RegistrationRow } from '../../server/registrations/store-registrations.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../server/time.ts';
import { coreOf, type StoredClick } from './book.ts';
import { time } from './clock.ts';
import { NEW_EVENT } from './new-button.ts';
import { isDropped, isPoison } from './posthog.ts';
import { findReportFaults } from './report-faults.ts';
import type { World } from './world.ts';

type Check = (world: World) => string[] | Promise<string[]>;

/** The hourly work may be late by so much, because it runs at most once an hour. */
const LATE_MS = 3 * HOUR_MS;

const keptSince = ({ site }: World): number =>
  site.clickRetentionDays === 0 ? 0 : clicksKeptSince(site.clickRetentionDays, time());

/** The browser drops a click after seven days. */
const isExpired = (world: World, at: number): boolean => world.openedAt - at > 6 * DAY_MS;

const clicksInTable = ({ database }: World) =>
  database.read('SELECT * FROM clicks', []) as never as (StoredClick & Record<string, unknown>)[];

const arrived: Check = (world) => {
  const { book } = world;
  const cores = new Set([...book.stored.keys()].map(coreOf));
  const lost = [...book.pressed].filter(
    ([core, { isOwed, at }]) => isOwed && !isExpired(world, at) && !cores.has(core),
  );
  return lost.map(([, { id }]) => `lost: ${id}`);
};

const onlyOnce: Check = ({ book }) => {
  const copies = Map.groupBy(book.stored.keys(), coreOf);
  return [...copies].flatMap(([core, ids]) =>
    ids.length > 1 && !book.pressed.get(core)?.isAhead ? [`twice in the table: ${ids}`] : [],
  );
};

const keptAsLongAsPromised: Check = (world) => {
  const there = new Map(clicksInTable(world).map((row) => [row.id, row]));
  const since = keptSince(world);
  const missing = [...world.book.stored.values()].filter(
    ({ id, received_at }) => received_at >= since && !there.has(id),
  );
  const late = isHeld(newestOf(world), since)
    ? []
    : [...there.values()].filter(({ received_at }) => received_at < since - LATE_MS);
  return [
    ...missing.map(({ id }) => `deleted too early: ${id}`),
    ...late.map(({ id }) => `not deleted: ${id}`),
  ];
};

/**
 * Whether the newest row or line is too old itself. The server then deletes nothing: its clock may be
 * wrong.
 */
const isHeld = (newestAt: number, since: number): boolean => newestAt < since;

const newestOf = (world: World): number =>
  Math.max(0, ...clicksInTable(world).map(({ received_at }) => received_at));

const emptiedInTime: Check = (world) => {
  const days = world.site.personalDataDays;
  const since = identifiedSince(days, time());
  const late = isHeld(newestOf(world), since) ? 0 : identifiedSince(days, time() - LATE_MS);
  return clicksInTable(world).flatMap((row) => {
    const { id, received_at, forgotten_at } = row;
    const named = ['visit_id', 'user_agent'].map((name) => row[name] !== null);
    if (received_at < late && named.includes(true)) return [`not emptied: ${id}`];
    const isTooEarly = received_at >= since && forgotten_at === null && named.includes(false);
    return isTooEarly ? [`emptied too early: ${id}`] : [];
  });
};

const counted: Check = ({ book, database, site }) => {
  // A click that was deleted before a server knew its button stays unknown.
  const nameOf = (event: string) =>
    site.clickRetentionDays > 0 && event === NEW_EVENT ? 'unknown' : event;
  const own = [...book.stored.values()].filter(({ is_internal }) => !is_internal);
  const expected = Map.groupBy(own, ({ event, is_bot, received_at }) =>
    [dayOf(received_at), nameOf(event), is_bot].join(' '),
  );
  const rows = database.read(COUNTS, []) as never as CountRow[];
  const found = new Map<string, number>();
  for (const { day, event, is_bot, n } of rows) {
    const name = [day, nameOf(event), is_bot].join(' ');
    found.set(name, (found.get(name) ?? 0) + n);
  }
  const names = new Set([...expected.keys(), ...found.keys()]);
  return [...names].flatMap((name) => {
    const [n, m] = [expected.get(name)?.length ?? 0, found.get(name) ?? 0];
    return n === m ? [] : [`the count of ${name} is ${m}, and ${n} rows came`];
  });
};
const COUNTS =
  'SELECT day, event, is_bot, SUM(n) AS n FROM click_counts GROUP BY day, event, is_bot';

interface CountRow {
  day: string;
  event: string;
  is_bot: number;
  n: number;
}

const clicksAtPosthog: Check = (world) => {
  const { book, posthog, site, resentAt } = world;
  const refused = refusedByPosthog(world);
  const faults: string[] = [];
  // A table that is rebuilt from the logs lacks the visits of older clicks, so they are not sent.
  const sentSince = resentAt === 0 ? 0 : identifiedSince(site.personalDataDays, resentAt);
  for (const row of clicksInTable(world)) {
    const { id, received_at, is_bot, is_internal, is_private, forgotten_at } = row;
    const isCounted = !is_bot && !is_internal && !is_private && forgotten_at === null;
    const isDue = isCounted && received_at >= sentSince;
    const isAway = isDropped(id) || isPoison(id);
    if (isDue && !isAway && !posthog.received.has(id)) faults.push(`not at PostHog: ${id}`);
    if (isDue && isAway && !refused.has(id)) faults.push(`not noted as refused: ${id}`);
  }
  for (const [id, { event }] of posthog.received) {
    const press = book.pressed.get(coreOf(id));
    const isWrong = !press || press.isBot || press.isInternal || press.isPrivate;
    if (event.event === 'cta_click' && (isWrong || !book.everStored.has(id)))
      faults.push(`must not be at PostHog: ${id}`);
  }
  return faults;
};

const refusedByPosthog = ({ database }: World) =>
  new Set(
    database
      .read('SELECT uuid FROM posthog_outbox WHERE refused IS NOT NULL', [])
      .map(({ uuid }) => String(uuid)),
  );

const eventsAtPosthog: Check = (world) => {
  const { book, posthog } = world;
  const refused = refusedByPosthog(world);
  return [...book.events.values()].flatMap((sent) => {
    const { uuid, isLeftOut, isAhead, isAcknowledged } = sent;
    const isThere = posthog.received.has(uuid) || refused.has(uuid) || book.forgotten.has(uuid);
    if (isLeftOut && posthog.received.has(uuid)) return [`must not be at PostHog: ${uuid}`];
    const mustBeThere = isAcknowledged && !isLeftOut && !isAhead;
    if (mustBeThere && !isThere) return [`event not at PostHog: ${uuid}`];
    return [];
  });
};

/** PostHog has one event of a view for each of its rows, and none otherwise. */
const viewsAtPosthog: Check = ({ book, posthog, database }) => {
  const sent = [...posthog.received.values()]
    .map(({ event }) => event)
    .filter(({ event }) => event === '$pageview');
  const refused = database.read(REFUSED_VIEWS, []).map(({ event }) => JSON.parse(String(event)));
  // PostHog may have an event that it has asked for again for so long that the server has refused it.
  const visitOf = new Map([...sent, ...refused].map((one) => [one.uuid, one.distinct_id]));
  const ended = [...visitOf.values()];
  return [...book.views.values()].flatMap((view) => {
    const { id, visitId, isBot, isInternal, isAcknowledged, isForgotten } = view;
    const rows = book.everViewed.get(id)?.size ?? 0;
    if (isAcknowledged && rows === 0) return [`view lost: ${id}`];
    const expected = isBot || isInternal ? 0 : rows;
    const found = ended.filter((visit) => visit === visitId).length;
    const isRight = isForgotten ? found <= expected : found === expected;
    return isRight ? [] : [`a view with ${found} events, of ${expected}: ${id}`];
  });
};
const REFUSED_VIEWS = `SELECT event FROM posthog_outbox
  WHERE refused IS NOT NULL AND event LIKE '%"event":"$pageview"%'`;

const keptViews: Check = (world) => {
  const { book, database } = world;
  const ids = new Set(database.read('SELECT id FROM visits', []).map(({ id }) => String(id)));
  const since = keptSince(world);
  const missing = [...book.views.values()].filter(
    ({ id, at }) => at >= since && book.everViewed.has(id) && !ids.has(id),
  );
  return missing.map(({ id }) => `view deleted too early: ${id}`);
};

const forgottenStay: Check = (world) => {
  const { book, folder } = world;
  const rows = clicksInTable(world).filter(({ id }) => book.forgotten.has(id));
  const faults = rows.flatMap((row) => {
    const isEmpty = PERSONAL.every((name) => row[name] === null);
    return isEmpty && row.forgotten_at !== null ? [] : [`forgotten, and in the table: ${row.id}`];
  });
  for (const file of globSync('*/clicks-*.jsonl', { cwd: folder }))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [, id = ''] = /"id":"([\da-f-]{36})"/.exec(line) ?? [];
      // A piece of a line that a full disk has cut at the end of a file stays.
      if (
        line.endsWith('}') &&
        book.forgotten.has(id) &&
        /visit_id|user_agent|remote_ip|page_url/.test(line)
      )
        faults.push(`forgotten, and in a log file: ${id}`);
    }
  return faults;
};
const PERSONAL = [
  'visit_id',
  'referrer',
  'page_url',
  'user_agent',
  'ip',
  'remote_ip',
  'clicked_at',
  'seq',
];

const nothingWaits: Check = ({ database, visitors }) => {
  const rows = database.read('SELECT uuid FROM posthog_outbox WHERE refused IS NULL', []);
  const left = visitors.flatMap(({ storage }) =>
    [...storage.map.keys()].filter((key) => key !== 'clicks-dropped'),
  );
  return [
    ...(rows.length > 0 ? [`${rows.length} events wait for PostHog`] : []),
    ...left.map((key) => `left in a browser's storage: ${key}`),
  ];
};

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

const registered: Check = (world) => {
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
  const faults = rows.flatMap((row) => {
    const person = decrypt(server.ring, row);
    if (!tried.has(row.email_hash) || hashEmail(key, person.email) !== row.email_hash)
      return [`a registration that no visitor made: ${row.id}`];
    return row.registered_at < lateSince ? [`registration not deleted: ${row.id}`] : [];
  });
  for (const [email, at] of book.registered)
    if (at > since && !hashes.has(hashEmail(key, email)))
      faults.push(`registration lost: ${email}`);
  return faults;
};

const mailed: Check = (world) => {
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

const dayOfFile = (file: string) => file.slice(-'2026-01-31.jsonl'.length, -'.jsonl'.length);

const logFiles: Check = ({ folder, site }) => {
  const since = time() - logDays(site) * DAY_MS;
  const oldest = dayOf(since - LATE_MS);
  const daysOf = (server: string) =>
    globSync(`${server}/clicks-*.jsonl`, { cwd: folder }).map(dayOfFile).sort();
  // Without a newer file of clicks, a server keeps the old ones. Refused clicks may have newer ones.
  const heldBy = ['a', 'b'].filter((server) => (daysOf(server).at(-1) ?? '') < dayOf(since));
  const files = globSync('*/{clicks,refused}-*.jsonl', { cwd: folder });
  return files.flatMap((file) => {
    const isDue = dayOfFile(file) < oldest && !heldBy.some((server) => file.startsWith(server));
    const faults = isDue ? [`log file not deleted: ${file}`] : [];
    if (!file.includes('/refused-')) return faults;
    const lines = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
    const wrong = lines.filter(
      (line) => line.endsWith('}') && !/"reason":"id_(ahead|too_old)"/.test(line),
    );
    return [...faults, ...wrong.map((line) => `refused: ${line.slice(0, 300)}`)];
  });
};

const readStats: Check = async ({ servers, book }) => {
  const [server] = servers;
  if (!server) return ['no server runs'];
  const answer = await server.app.inject('/api/stats');
  const { clicks } = answer.json() as { clicks: { total: number } };
  const people = [...book.stored.values()].filter((row) => !row.is_internal && !row.is_bot);
  if (clicks.total === people.length - (people.length % 10)) return [];
  return [`/api/stats says ${clicks.total} clicks, and people pressed ${people.length}`];
};

const CHECKS: Check[] = [
  arrived,
  onlyOnce,
  keptAsLongAsPromised,
  emptiedInTime,
  counted,
  clicksAtPosthog,
  eventsAtPosthog,
  viewsAtPosthog,
  keptViews,
  forgottenStay,
  nothingWaits,
  registered,
  mailed,
  logFiles,
  readStats,
  findReportFaults,
];

/** Returns a sentence for each fault of a run that has ended. */
export async function findFaults(world: World): Promise<string[]> {
  const faults = [...world.book.complaints];
  for (const check of CHECKS) faults.push(...(await check(world)));
  return faults;
}
