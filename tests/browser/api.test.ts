import { text as readText } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiError, apiRequest } from '#browser/api.ts';
import { getJson, queryClient } from '#components/queries/query-client.ts';
import { startLocalServer } from '../helpers/server/local-server.ts';

let seen: Record<string, string | undefined> = {};
const server = await startLocalServer(async (request, response) => {
  const { method, url } = request;
  seen = { method, url, type: request.headers['content-type'], body: await readText(request) };
  const [, status = '200', text = ''] = /^\/status\/(\d+)\/?(.*)/.exec(url ?? '') ?? [];
  response.writeHead(Number(status), { 'content-type': 'application/json' });
  response.end(status === '200' ? '{"fine":true}' : decodeURIComponent(text));
});
afterAll(server.close);
const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

test('only a payload is sent as JSON, with its content type', async () => {
  await apiRequest('POST', at('/x'), { body: { a: 1 } });
  expect(seen).toEqual({ method: 'POST', url: '/x', type: 'application/json', body: '{"a":1}' });
  expect(await apiRequest('GET', at('/x'))).toEqual({ fine: true });
  expect(seen).toMatchObject({ type: undefined, body: '' });
});

test('a response that is not a success throws its status and text, or the status text', async () => {
  const error = new ApiError(418, 'short and stout');
  await expect(apiRequest('GET', at('/status/418/short%20and%20stout'))).rejects.toThrow(error);
  await expect(apiRequest('GET', at('/status/503'))).rejects.toThrow('503: Service Unavailable');
  await expect(apiRequest('GET', at('/status/401/who%3F'))).rejects.toThrow('401: who?');
  expect(await apiRequest('GET', at('/status/401'), { on401: 'return-null' })).toBeNull();
});

test('a response that is not the answer throws its status and text', async () => {
  const isAnswer = (answer: unknown) => JSON.stringify(answer) === '{"a":1}';
  const answer = (text: string) =>
    apiRequest('POST', at(`/status/201/${encodeURIComponent(text)}`), { isAnswer });
  expect(await answer('{"a": 1}')).toEqual({ a: 1 });
  for (const text of ['{"a": 2}', '<h1>Log in</h1>'])
    await expect(answer(text)).rejects.toThrow(new ApiError(201, text));
});

describe('generic fetching', () => {
  test('joins the key’s segments with a slash', async () => {
    await queryClient.fetchQuery({ queryKey: [at('/api'), 'stats', 'today'] });
    expect(seen.url).toBe('/api/stats/today');
  });

  test('does not retry, and passes the option for 401 on', async () => {
    await expect(queryClient.fetchQuery({ queryKey: [at('/status/500/no')] })).rejects.toThrow(
      '500: no',
    );
    const queryFn = getJson({ on401: 'return-null' });
    expect(await queryClient.fetchQuery({ queryKey: [at('/status/401')], queryFn })).toBeNull();
  });

  test('data never goes stale, and nothing polls by default', () => {
    const { queries, mutations } = queryClient.getDefaultOptions();
    expect(queries).toMatchObject({
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    });
    expect(mutations).toEqual({ retry: false });
  });
});
