/**
 * GET /healthz, for supervisors and load balancers: whether the server can keep a click now. A fault of PostHog is not a
 * failure, because events and clicks wait for it.
 */
import type { FastifyInstance } from 'fastify';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Posthog } from '../posthog/open-posthog.ts';

export async function health(
  app: FastifyInstance,
  { recorder, posthog }: { recorder: Recorder; posthog: Pick<Posthog, 'state'> | null },
): Promise<void> {
  app.get('/healthz', async (_request, reply) => {
    const fault = await recorder.fault();
    const reasons = posthog?.state.reasons() ?? [];
    if (fault === null)
      return reasons.length > 0 ? { status: 'degraded', reasons } : { status: 'ready' };
    reply.code(503);
    return { status: 'failing', faults: { clicks: fault } };
  });
}
