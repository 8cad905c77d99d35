/** The SQL condition for the rows of `clicks` and `visits` that the report counts. */

/** Leaves out robots, the team, and automated browsers. */
export const IS_COUNTED = 'NOT is_bot AND NOT is_internal AND NOT is_automated';
