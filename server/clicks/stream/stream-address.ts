/** The value of STREAM_URL. */
export interface StreamAddress {
  /** Host and port of each server. */
  servers: string[];
  user?: string;
  pass?: string;
}

/** @param url such as `nats://user:password@a:4222,b:4222,c:4222` @returns null if it is not of this form */
export function parseStreamUrl(url: string): StreamAddress | null {
  const [, user, pass, hosts = ''] = /^nats:\/\/(?:([^:@]+):([^@]+)@)?([^/@]+)\/?$/.exec(url) ?? [];
  const servers = hosts.split(',');
  if (!servers.every((server) => /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(server)))
    return null;
  if (!user || !pass) return { servers };
  return { servers, user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
}
