/** Which rows of `clicks` and `visits` the report counts, as SQL. */

/** Neither a robot's, nor the team's, nor those of an automated browser. */
export const COUNTS = 'NOT is_bot AND NOT is_internal AND NOT is_automated';
