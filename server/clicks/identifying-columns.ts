/** The columns of `clicks` that lead to a person. They are emptied after `personalDataDays`. */
export const IDENTIFYING_COLUMNS = ['ip', 'remote_ip', 'user_agent', 'visit_id'] as const;
