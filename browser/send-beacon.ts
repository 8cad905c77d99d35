/**
 * Sends a body that outlives the page: as a beacon, or with `fetch` where beacons are missing, as
 * some visitors set their browser against tracking, or where an extension makes them throw.
 *
 * @returns false if no beacon has the body. Nobody learns then whether it arrives: keep it, and
 * send it again
 */
export function sendBeacon(url: string, body: string | Blob): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    fetch(url, { method: 'POST', body, keepalive: true }).catch(() => {});
    return false;
  }
}
