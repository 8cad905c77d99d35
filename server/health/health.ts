/** GET /healthz, for supervisors and load balancers: whether the server can keep a click now. */
import type { FastifyInstance } from 'fastify';
import type { Recorder } from '../clicks/record-clicks.ts';

export async function health(
  app: FastifyInstance,
  { recorder }: { recorder: Recorder },
): Promise<void> {
  app.get('/healthz', async (_request, reply) => {
    const fault = await recorder.fault();
    if (fault === null) return { status: 'ready' };
    reply.code(503);
    return { status: 'failing', faults: { clicks: fault } };
  });
}
