import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '#browser/api.ts';
import {
  type RegisterAnswer,
  type Registration,
  registerAnswerSchema,
} from '#contract/register.schema.ts';
import { queryClient } from './query-client.ts';

/** A server that has not answered by then counts as a failure. Milliseconds. */
const TIMEOUT_MS = 8000;

/**
 * Sends the registration form. It fails within TIMEOUT_MS, also while the browser is offline.
 * Sending the form again is safe: the server keeps each e-mail address once.
 *
 * @param path from contract/language.ts
 */
export function useRegister(path: string) {
  const mutation = useMutation<RegisterAnswer, Error, Registration>(
    {
      // By default, TanStack Query would wait silently until the browser is online.
      networkMode: 'always',
      mutationFn: async (body) => {
        // Not AbortSignal.timeout, which Safari 15 and Chrome 100 do not have.
        const timeout = new AbortController();
        setTimeout(() => timeout.abort(), TIMEOUT_MS);
        const answer = await apiRequest('POST', path, { body, signal: timeout.signal });
        // Only our own response counts as registered, because a captive portal also answers 200.
        return registerAnswerSchema.parse(answer);
      },
    },
    queryClient,
  );
  /** True at once, and not only from the next render, because a double press is quicker. */
  const isSending = () => queryClient.isMutating() > 0;
  return { ...mutation, isSending };
}
