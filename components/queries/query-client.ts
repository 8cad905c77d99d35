import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { apiRequest, type On401 } from '#browser/api.ts';

/** The generic fetch: a GET to the URL made of the query key's segments, joined with a slash. */
export const getJson =
  ({ on401 = 'throw' }: { on401?: On401 } = {}): QueryFunction =>
  ({ queryKey, signal }) =>
    apiRequest('GET', queryKey.join('/'), { on401, signal });

/**
 * The page's one client, with the specification's defaults (section 9): no retries, never stale, no
 * refetch, no polling unless set. Hooks get it as an argument, so that islands need no provider.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: getJson(),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    },
    mutations: { retry: false },
  },
});
