/** Makes an id for a click without one: a UUID v7, because ids that grow with time make the database append. */
export { randomUUIDv7 as newId } from 'node:crypto';
