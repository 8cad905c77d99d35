/**
 * Health of the server, for supervisors, load balancers and operators.
 *
 * - GET /livez: the process answers.
 * - GET /readyz: the server can keep a click, and is not stopping.
 * - GET /healthz: the same, and what else is wrong. A fault of PostHog or Redis is not a failure, because events and clicks wait.
 *
 * Only requests from this machine get the reasons, because they name hosts and disks.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClickIndex } from '../clicks/index/click-index.ts';
import type { LedgerChanges } from '../clicks/ledger/ledger-changes.ts';
import type { SpaceWatch } from '../clicks/ledger/watch-space.ts';
import { makeLookAgain } from '../clicks/look-again.ts';
import type { Overload } from '../clicks/overload.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Config } from '../config.ts';
import type { Posthog } from '../posthog/open-posthog.ts';
import { describeFault } from './reasons.ts';

export interface HealthParts {
  config: Pick<Config, 'databaseUrl'>;
  recorder: Pick<Recorder, 'fault'>;
  clickIndex: Pick<ClickIndex, 'ping'>;
  space: Pick<SpaceWatch, 'warning'>;
  ledgerChanges: Pick<LedgerChanges, 'warning'>;
  overload: Pick<Overload, 'warning'>;
  posthog: Pick<Posthog, 'state'> | null;
  /** Has the server begun to stop? */
  isStopping?: (() => boolean) | undefined;
}

const STOPPING = 'The server is stopping.';
const REDIS = 'Redis does not answer. Each server counts requests alone.';

export async function health(app: FastifyInstance, parts: HealthParts): Promise<void> {
  const { space, ledgerChanges, overload, posthog, isStopping = () => false } = parts;
  const findFault = makeFaultFinder(parts);
  const host = parts.config.databaseUrl?.host ?? null;

  app.get('/livez', () => ({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    if (isStopping()) return fail(request, reply, { status: 'stopping', reasons: [STOPPING] });
    const fault = await findFault();
    if (fault === null) return { status: 'ready' };
    return fail(request, reply, { status: 'failing', reasons: [describeFault(fault, host)] });
  });

  app.get('/healthz', async (request, reply) => {
    const fault = await findFault();
    const warnings = [
      overload.warning(),
      space.warning(),
      ledgerChanges.warning(),
      app.isRedisAway() ? REDIS : null,
      ...(posthog?.state.reasons() ?? []),
    ].filter((reason) => reason !== null);
    if (fault !== null) {
      const reasons = [describeFault(fault, host), ...warnings];
      return fail(request, reply, { status: 'failing', faults: { clicks: fault }, reasons });
    }
    if (warnings.length === 0) return { status: 'ready' };
    return shown(request, { status: 'degraded', reasons: warnings });
  });
}

/** Asks the index too, because a server without clicks would not notice that its database is away. */
function makeFaultFinder({ recorder, clickIndex }: HealthParts): () => Promise<string | null> {
  let away: string | null = null;
  const askIndex = makeLookAgain(() =>
    clickIndex.ping().then(
      () => {
        away = null;
      },
      (cause) => {
        away = String((cause as { code?: unknown }).code ?? 'unknown');
      },
    ),
  );
  return async () => {
    const fault = await recorder.fault();
    if (fault !== null) return fault;
    await askIndex();
    return away;
  };
}

function fail<T extends { status: string }>(request: FastifyRequest, reply: FastifyReply, body: T) {
  reply.code(503);
  return shown(request, body);
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

function shown<T extends { status: string }>(request: FastifyRequest, body: T) {
  return isFromHere(request) ? body : { status: body.status };
}

/** A proxy on this machine names its visitor in a header, whatever TRUST_PROXY is. */
function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
