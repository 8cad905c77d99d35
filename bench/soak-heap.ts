/** Memory that a server still uses after it has collected its garbage, over the inspector of Node. */
import { once } from 'node:events';

/** Asks the server, which was started with `--inspect`, to collect its garbage. */
export async function openHeap(inspectPort: number) {
  const list = await fetch(`http://127.0.0.1:${inspectPort}/json/list`);
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[];
  const channel = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(channel, 'open');
  let last = 0;
  const call = async (method: string, params = {}) => {
    last += 1;
    const id = last;
    const answered = Promise.withResolvers<{ result: { value?: unknown } }>();
    const listen = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data));
      if (answer.id !== id) return;
      channel.removeEventListener('message', listen);
      answered.resolve(answer.result);
    };
    channel.addEventListener('message', listen);
    channel.send(JSON.stringify({ id, method, params }));
    return answered.promise;
  };
  return {
    /** @returns megabytes of objects and buffers that are still in use */
    async usedMb(): Promise<number> {
      await call('HeapProfiler.collectGarbage');
      const expression =
        '(({ heapUsed, external }) => (heapUsed + external) / 2 ** 20)(process.memoryUsage())';
      const { result } = await call('Runtime.evaluate', { expression });
      return Number(result.value);
    },
    close: () => channel.close(),
  };
}
