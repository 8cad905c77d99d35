/**
 * Sends a body that outlives the page: as a beacon, or with `fetch` where beacons are missing, as
 * some visitors set their browser against tracking, or where an extension makes them throw.
 *
 * @returns false if no beacon has the body. `fetch` may still deliver it, but the page does not
 * learn whether it did: keep the body, and send it again
 */
export function sendBeacon(url: string, body: string | Blob): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    fetch(url, { method: 'POST', body, keepalive: true }).catch(() => {});
    return false;
  }
}
