/**
 * Messages to systemd, as sd_notify(3) describes them: the server runs, it stops, it is alive.
 *
 * systemd-notify(1) sends them, because Node has no datagram sockets in the file system. The unit therefore needs
 * `NotifyAccess=all`. A message costs one short process, and 12 ms of the event loop in a server of 200 MB. The
 * server sends one every WatchdogSec / 2, as sd_watchdog_enabled(3) advises.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

/** systemd-notify waits up to five seconds until systemd has read the message. */
const TIMEOUT_MS = 10_000;

interface Options {
  /** Time after which systemd kills a silent server; null: the unit has no watchdog. */
  watchdogMs: number | null;
  /** Whether a restart would be of no use. Asked from a timer, so a blocked event loop cannot answer. */
  isHealthy: () => boolean;
  log: Pick<Logger, 'warn'>;
}

export interface Notifier {
  /** @param status text for `systemctl status` */
  ready(status: string): void;
  stopping(): void;
}

export function openNotifier({ watchdogMs, isHealthy, log }: Options): Notifier {
  let hasWarned = false;
  let isSending = false;
  const send = (...messages: string[]) => {
    isSending = true;
    execFile('systemd-notify', messages, { timeout: TIMEOUT_MS }, (err) => {
      isSending = false;
      if (!err || hasWarned) return;
      hasWarned = true;
      log.warn({ err }, 'systemd does not learn that the server runs. Install systemd-notify');
    });
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      send('READY=1', `STATUS=${status}`);
      if (watchdogMs === null) return;
      // A message that still waits for systemd is not repeated.
      const sayAlive = () => isHealthy() && !isSending && send('WATCHDOG=1');
      timer = setInterval(sayAlive, watchdogMs / 2).unref();
    },
    stopping() {
      clearInterval(timer);
      send('STOPPING=1');
    },
  };
}
