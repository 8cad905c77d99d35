/**
 * Watches whether PostgreSQL has a synchronous standby. If `synchronous_standby_names` is empty,
 * PostgreSQL confirms commits without one, and gives no warning.
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

/**
 * `yes`: there is a synchronous standby, so that an acknowledged click survives the loss of the
 * primary's machine.
 */
export const STANDBY_STATES = ['yes', 'no', 'unknown'] as const;
export type StandbyState = (typeof STANDBY_STATES)[number];

type Finding = [state: StandbyState, text: string];
const DOES_NOT_ANSWER =
  'PostgreSQL does not answer: whether it has a synchronous standby is unknown.';

export type StandbyWatch = ReturnType<typeof createStandbyWatch>;

export function createStandbyWatch(db: Pick<Database, 'read'>, log: Pick<Logger, 'info' | 'warn'>) {
  let [state, text]: Finding = ['unknown', ''];
  let isWanted = false;

  return {
    /**
     * Asks PostgreSQL, and logs when the answer changes. Once the signal has aborted, it logs
     * nothing.
     */
    async look(signal: AbortSignal): Promise<void> {
      const [row] = await db.read(READ_STANDBYS).catch(() => []);
      const found: Finding = row ? judgeStandby(row) : ['unknown', DOES_NOT_ANSWER];
      isWanted ||= found[0] === 'yes' || Boolean(row?.names);
      if (signal.aborted || found[1] === text) return;
      [state, text] = found;
      log[isWanted && state !== 'yes' ? 'warn' : 'info'](text);
    },
    state: () => state,
    /**
     * Returns a warning for operators. Null if there is a standby, or if none was configured since
     * the start.
     */
    warning: (): string | null => (isWanted && state !== 'yes' ? text : null),
  };
}

function judgeStandby({ names, waits_for, may_see, me, standbys }: Row): Finding {
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
