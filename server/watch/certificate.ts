/** Reads the TLS certificate of the site's address, and finds what is wrong with it. */
import { connect } from 'node:tls';
import { DAY_MS } from '../time.ts';
import { makeFault, type SiteFault } from './site-fault.ts';

export interface Certificate {
  /** Milliseconds since 1970. */
  validFrom: number;
  /** Milliseconds since 1970. */
  validTo: number;
  /**
   * Code with which TLS clients reject the certificate: `CERT_HAS_EXPIRED`. null: they accept it.
   */
  refusedWith: string | null;
}

/**
 * Connects to an address by TLS and reads its certificate, also one that browsers reject.
 *
 * @param origin `https://site.example`
 * @throws (rejects with) the system's error, or that of the signal
 */
export function readCertificate(origin: string, signal: AbortSignal): Promise<Certificate | null> {
  const { hostname, port } = new URL(origin);
  // IPv6 addresses have brackets in a URL, and none for `connect`.
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<Certificate | null>();
  // TLS allows no IP address as the name of a server (RFC 6066).
  const servername = /^[\d.]+$|:/.test(host) ? '' : host;
  const socket = connect({
    host,
    port: Number(port || 443),
    servername,
    rejectUnauthorized: false,
  });
  const stop = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  socket.once('error', reject);
  socket.once('close', () => signal.removeEventListener('abort', stop));
  socket.once('secureConnect', () => {
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    const error = socket.authorizationError as Error | string | null;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : error;
    resolve({ validFrom: Date.parse(from), validTo: Date.parse(to), refusedWith: code ?? null });
    socket.end();
  });
  return promise;
}

/** A certificate that is valid for fewer days is a fault: its renewal has failed for two weeks. */
const LEAST_DAYS = 14;
/**
 * The same limit for certificates of a few days or weeks, as a fraction of their whole validity.
 * ACME clients renew such certificates when a third of it is left, so half of that time has passed
 * in vain.
 */
const LEAST_SHARE = 1 / 6;

/** Returns the fault of a certificate, or none. @param now milliseconds since 1970 */
export function findCertificateFaults(certificate: Certificate, now: number): SiteFault[] {
  const { validFrom, validTo, refusedWith } = certificate;
  const kind = 'certificate';
  const day = new Date(validTo).toISOString().slice(0, 10);
  if (now > validTo) return [{ id: kind, kind, text: `the certificate has ended (${day})` }];
  if (refusedWith !== null)
    return [{ id: kind, kind, text: `browsers refuse the certificate (${refusedWith})` }];
  const least = Math.min(LEAST_DAYS * DAY_MS, (validTo - validFrom) * LEAST_SHARE);
  if (validTo - now >= least) return [];
  const left = Math.floor((validTo - now) / DAY_MS);
  return [makeFault(kind, 'ends', `the certificate ends in ${left} days (${day})`)];
}
