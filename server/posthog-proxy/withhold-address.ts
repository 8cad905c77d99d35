/**
 * Keeps every address out of an event. PostHog stores the sender's address where an event has no `$ip`, also where
 * `$ip` is null, and derives a place from it. The sender is our server, so that place would be wrong as well.
 *
 * `$geoip_disable` turns the place off. The address is the one that PostHog's guide on redaction uses; RFC 5737
 * reserves it for documentation, so that it belongs to no visitor.
 */
export const WITHHELD_ADDRESS = { $ip: '192.0.2.0', $geoip_disable: true };

/** Returns the event with no address in its properties, whatever its sender put there. */
export function withholdAddress<E extends { properties?: object | undefined }>(event: E) {
  return { ...event, properties: { ...event.properties, ...WITHHELD_ADDRESS } };
}
