/** The id of a click that came without one: UUID v7, so that ids grow with time and the store appends. */
export { randomUUIDv7 as newId } from 'node:crypto';
