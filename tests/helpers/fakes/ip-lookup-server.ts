/** A fake of the third-party public-IP service. Each test sets its behaviour. */
import { startLocalServer } from '../server/local-server.ts';

export type LookupBehaviour =
  | { kind: 'answer'; body: string }
  | { kind: 'refuse' }
  | { kind: 'hang' };

/** The answer of a working service, with which every test begins. */
export const WORKING: LookupBehaviour = { kind: 'answer', body: '{"ip":"203.0.113.7"}' };

export interface IpLookupServer {
  port: number;
  behaviour: LookupBehaviour;
  /** Headers of every request so far. */
  requests: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function startIpLookupServer(): Promise<IpLookupServer> {
  const requests: Record<string, unknown>[] = [];
  const server = await startLocalServer((request, response) => {
    requests.push(request.headers);
    response.setHeader('access-control-allow-origin', '*');
    const { behaviour } = lookup;
    if (behaviour.kind === 'answer') response.end(behaviour.body);
    else if (behaviour.kind === 'refuse') response.writeHead(403).end('blocked');
    // A hanging service keeps the connection open without an answer.
  });
  const lookup: IpLookupServer = {
    ...server,
    requests,
    behaviour: WORKING,
  };
  return lookup;
}
