/** Unpacks a request's body as PostHog does. */
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { Refusal } from './refusal.ts';

export const MAX_PACKED_BYTES = 10 * 1024 * 1024;
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
const LIMIT = { maxOutputLength: MAX_UNPACKED_BYTES };

const ENCODINGS: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body, LIMIT),
  deflate: (body) => (isZlib(body) ? inflateSync(body, LIMIT) : inflateRawSync(body, LIMIT)),
  br: (body) => brotliDecompressSync(body, LIMIT),
  zstd: (body) => zstdDecompressSync(body, LIMIT),
};

export const isKnownEncoding = (encoding: string): boolean => encoding in ENCODINGS;

/** @throws Refusal 413 over one of the limits, 400 if the body is damaged */
export function unpackBody(body: Buffer, encoding: string): Buffer {
  if (body.length > MAX_PACKED_BYTES) throw new Refusal(413, 'payload_too_large');
  let unpacked: Buffer;
  try {
    unpacked = (ENCODINGS[encoding] as (body: Buffer) => Buffer)(body);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new Refusal(413, 'payload_too_large')
      : new Refusal(400, 'request_decoding_error');
  }
  if (unpacked.length > MAX_UNPACKED_BYTES) throw new Refusal(413, 'payload_too_large');
  return unpacked;
}

/** The header of a zlib stream: method 8, and a multiple of 31. */
const isZlib = (body: Buffer) =>
  body.length > 1 && ((body[0] as number) & 15) === 8 && body.readUInt16BE(0) % 31 === 0;
