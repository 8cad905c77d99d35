/** POST /api/register: one registration, validated by the specification's rules and kept once per e-mail address. */
import type { FastifyInstance } from 'fastify';
import { type RegisterAnswer, registerSchema } from '#contract/register.schema.ts';
import type { Config } from '../config.ts';
import { fieldFaults } from '../field-faults.ts';
import { HttpError, unavailable } from '../http-error.ts';
import { readJsonBodies } from '../plugins/json-body.ts';
import { perMinute } from '../plugins/rate-limit.ts';
import { refuseForeignOrigin } from '../plugins/security.ts';
import type { Registrations } from '../store/registrations.ts';

interface Options {
  config: Config;
  registrations: Registrations;
}

const BODY_BYTES = 8 * 1024;
const RETRY_AFTER_S = 10;

export async function register(app: FastifyInstance, options: Options): Promise<void> {
  readJsonBodies(app);
  app.post(
    '/api/register',
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: perMinute(options.config.rateLimit.register) },
      onRequest: refuseForeignOrigin,
    },
    async (request, reply): Promise<RegisterAnswer> => {
      const parsed = registerSchema.safeParse(request.body);
      if (!parsed.success) {
        throw new HttpError(400, 'validation_failed', 'Please check the marked fields.', {
          fields: fieldFaults(parsed.error),
        });
      }
      try {
        options.registrations.add(parsed.data, new Date());
      } catch (cause) {
        throw unavailable(
          'Your registration could not be saved. Please try again.',
          RETRY_AFTER_S,
          cause,
        );
      }
      reply.code(201);
      return { status: 'registered' };
    },
  );
}
