import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { apiRequest, type On401 } from '#browser/api.ts';

/**
 * Returns the default query function: a GET request to the path that the parts of the query key
 * make, joined with slashes.
 */
export const getJson =
  ({ on401 = 'throw' }: { on401?: On401 } = {}): QueryFunction =>
  ({ queryKey, signal }) =>
    apiRequest('GET', queryKey.join('/'), { on401, signal });

/**
 * The only query client of the page, with the defaults of the specification (section 9): no retry,
 * never stale, no refetch, no polling unless a query sets it. Hooks get it as an argument, because
 * islands are separate React roots without a provider.
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
