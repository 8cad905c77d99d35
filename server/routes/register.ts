/** POST /api/register: one registration, validated by the specification's rules and kept once per e-mail address. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { registerAnswerSchema, registerSchema } from '#contract/register.schema.ts';
import type { Config } from '../config.ts';
import { unavailable } from '../http-error.ts';
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
  app.withTypeProvider<ZodTypeProvider>().post(
    '/api/register',
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: perMinute(options.config.rateLimit.register) },
      onRequest: refuseForeignOrigin,
      schema: { body: registerSchema, response: { 201: registerAnswerSchema } },
    },
    async (request, reply) => {
      try {
        options.registrations.add(request.body, new Date());
      } catch (cause) {
        throw unavailable(
          'Your registration could not be saved. Please try again.',
          RETRY_AFTER_S,
          cause,
        );
      }
      return reply.code(201).send({ status: 'registered' });
    },
  );
}
