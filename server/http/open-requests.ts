/** Bounds the requests of a route that have no answer yet, and with them the memory of slow bodies. */
import type { onRequestHookHandler } from 'fastify';
import { rateLimitKey } from './address.ts';
import { createGate } from './gate.ts';

interface Bounds {
  all: number;
  /** So that slow bodies of one sender leave room for all others. */
  perAddress: number;
  /** Makes the answer to a request above a bound. */
  refuse: () => Error;
}

/** A hook that counts a request until it is answered, or its connection is broken. */
export function boundOpenRequests({ all, perAddress, refuse }: Bounds): onRequestHookHandler {
  const open = createGate(all);
  const ofAddress = createGate(perAddress);
  return ({ ip }, reply, done) => {
    const leaveAddress = ofAddress.enter(rateLimitKey(ip));
    if (!leaveAddress) return done(refuse());
    const leave = open.enter();
    if (!leave) {
      leaveAddress();
      return done(refuse());
    }
    for (const end of ['finish', 'close']) reply.raw.once(end, leave).once(end, leaveAddress);
    done();
  };
}
