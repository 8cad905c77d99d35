/** Names a database in messages, without its password. In its own file, so that it does not load the library. */

/** `host:5432/database` */
export function nameOf(url: URL): string {
  return `${url.host || 'local socket'}${url.pathname}`;
}
