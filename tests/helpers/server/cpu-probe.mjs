/**
 * Loaded into a server by `--import`: answers each connection to the socket CPU_PROBE with the CPU time that the main thread
 * has used, in microseconds. CPU time does not grow while other processes use the machine.
 */
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.CPU_PROBE) {
  createServer((socket) => {
    const { user, system } = process.threadCpuUsage();
    socket.on('error', () => {}).end(String(user + system));
  })
    .listen(process.env.CPU_PROBE)
    .unref();
}
