/**
 * Watches whether PostgreSQL has a synchronous standby. With an empty `synchronous_standby_names`
 * it confirms each commit without one, and says nothing.
 */
import type { Logger } from 'pino';
import type { Database, Row } from '../database.ts';

const READ_STANDBYS = `
  SELECT
    current_setting('synchronous_standby_names') AS names,
    current_setting('synchronous_commit') AS waits_for,
    pg_has_role('pg_read_all_stats', 'USAGE') AS may_see,
    quote_ident(current_user) AS me,
    (SELECT COUNT(*)
      FROM pg_stat_replication
      WHERE sync_state IN ('sync', 'quorum')
    ) AS standbys`;

/** yes: an acknowledged click outlives the primary's machine. */
export const STANDBY_STATES = ['yes', 'no', 'unknown'] as const;
export type StandbyState = (typeof STANDBY_STATES)[number];

type Found = [state: StandbyState, text: string];
const DOES_NOT_ANSWER =
  'PostgreSQL does not answer: whether it has a synchronous standby is unknown.';

export type StandbyWatch = ReturnType<typeof createStandbyWatch>;

export function createStandbyWatch(db: Pick<Database, 'read'>, log: Pick<Logger, 'info' | 'warn'>) {
  let [state, text]: Found = ['unknown', ''];
  let isWanted = false;

  return {
    /** Looks whether there is a standby, and logs a change. A stopping server logs none. */
    async look(signal: AbortSignal): Promise<void> {
      const [seen] = await db.read(READ_STANDBYS).catch(() => []);
      const found: Found = seen ? judge(seen) : ['unknown', DOES_NOT_ANSWER];
      isWanted ||= found[0] === 'yes' || Boolean(seen?.names);
      if (signal.aborted || found[1] === text) return;
      [state, text] = found;
      log[isWanted && state !== 'yes' ? 'warn' : 'info'](text);
    },
    state: () => state,
    /** For operators; null: there is a standby, or no setting has named one since the start. */
    warning: (): string | null => (isWanted && state !== 'yes' ? text : null),
  };
}

function judge({ names, waits_for, may_see, me, standbys }: Row): Found {
  if (names === '')
    return ['no', 'PostgreSQL has no synchronous standby: its clicks are lost with its disk.'];
  if (waits_for === 'off' || waits_for === 'local')
    return ['no', `PostgreSQL waits for no standby, because synchronous_commit is ${waits_for}.`];
  if (!may_see)
    return [
      'unknown',
      `The user ${me} may not see whether PostgreSQL has a synchronous standby: GRANT pg_monitor TO ${me}`,
    ];
  if (standbys === 0)
    return ['no', `PostgreSQL waits for the standby ${names}, which is not there.`];
  return ['yes', 'PostgreSQL has a synchronous standby: clicks outlive its machine.'];
}
