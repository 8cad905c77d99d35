/** The columns of `clicks` that identify a visitor. They are emptied after `personalDataDays`. */
export const IDENTIFYING_COLUMNS = ['ip', 'remote_ip', 'user_agent', 'visit_id'] as const;
