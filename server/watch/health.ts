/**
 * Health of the server, for supervisors, load balancers and operators.
 *
 * - GET /livez: the process answers.
 * - GET /readyz: the last commit or probe succeeded, and the server is not stopping.
 * - GET /healthz: the same, and what else is wrong. A fault of PostHog is not a failure, because events wait.
 *
 * Only operators get the reasons, because they name hosts and disks. No request makes the server write.
 */
import type { FastifyInstance } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { describeExamples, isLocal } from '../built-site.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Figures } from './figures.ts';
import { checkPassword, hasPassword, isOperator } from './operators.ts';
import { reasonsOf } from './reasons.ts';
import type { Standby } from './standby.ts';

export interface HealthParts {
  recorder: Pick<Recorder, 'whyNotReady'>;
  site: BuiltSite;
  figures(): Promise<Figures>;
  standby: Pick<Standby, 'warning'> | null;
  isStopping(): boolean;
  /** Requests with a password, a minute and address. */
  limit: number;
}

type Status = 'ready' | 'failing' | 'stopping';

export async function health(app: FastifyInstance, parts: HealthParts): Promise<void> {
  const { recorder, site, figures, standby, isStopping, limit } = parts;
  const examples = isLocal(site) ? null : describeExamples(site);
  const status = (): Status => {
    if (isStopping()) return 'stopping';
    return recorder.whyNotReady() ? 'failing' : 'ready';
  };
  const codeOf = (now: Status) => (now === 'ready' ? 200 : 503);

  app.get('/livez', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const now = status();
    return reply.code(codeOf(now)).send({ status: now });
  });

  app.get(
    '/healthz',
    {
      config: { rateLimit: { ...perMinute(limit), allowList: (request) => !hasPassword(request) } },
      preHandler: checkPassword,
    },
    async (request, reply) => {
      const now = status();
      reply.code(codeOf(now));
      if (!isOperator(request)) return { status: now };
      const fault = recorder.whyNotReady();
      const reasons = [
        fault && `Clicks cannot be kept: ${fault.message}`,
        standby?.warning() ?? null,
        examples,
        ...reasonsOf(await figures()),
      ].filter((reason) => reason !== null);
      return { status: now, reasons };
    },
  );
}
