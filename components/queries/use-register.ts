import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '#browser/api.ts';
import { type Registration, registerAnswerSchema } from '#contract/register.schema.ts';
import { queryClient } from './query-client.ts';

/** The request fails if the server has not answered within this time. */
const TIMEOUT_MS = 8000;

/**
 * Returns the mutation that sends the registration form. It fails within TIMEOUT_MS, also while the
 * browser is offline. It is idempotent: the server keeps each e-mail address once.
 *
 * @param path of the API, as `registerPath` returns it
 */
export function useRegister(path: string) {
  const mutation = useMutation<unknown, Error, Registration>(
    {
      // By default, TanStack Query would wait silently until the browser is online.
      networkMode: 'always',
      mutationFn: (body) => {
        // AbortSignal.timeout is missing in Safari before 16 and Chrome before 103.
        const timeout = new AbortController();
        setTimeout(() => timeout.abort(), TIMEOUT_MS);
        const { signal } = timeout;
        return apiRequest('POST', path, { body, isAnswer: isRegistered, signal });
      },
    },
    queryClient,
  );
  /**
   * Whether a request is under way. Unlike `isPending`, it does not wait for the next render, which
   * may come after the second click of a double click.
   */
  const isSending = () => queryClient.isMutating() > 0;
  return { ...mutation, isSending };
}

const isRegistered = (answer: unknown): boolean => registerAnswerSchema.safeParse(answer).success;
