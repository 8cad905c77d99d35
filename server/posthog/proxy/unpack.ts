/** Unpacks the three forms in which posthog-js sends JSON: plain, gzip as text/plain, and a beacon's base64 form field. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpError } from '../../http/http-error.ts';

/** Upper bound for the unpacked JSON, because parsing blocks the whole server. A page sends less than 64 KB at once. */
export const MAX_JSON_BYTES = 128 * 1024;

const gunzipBuffer = promisify(gunzip);

/** @throws (rejects with) HttpError 400 or 413 */
export async function unpackJson(body: Buffer): Promise<unknown> {
  const json = await toJson(body);
  if (json.length > MAX_JSON_BYTES) throw tooLarge();
  try {
    return JSON.parse(json.toString());
  } catch (cause) {
    throw new HttpError(400, 'malformed_json', 'The events are not valid JSON.', { cause });
  }
}

async function toJson(body: Buffer): Promise<Buffer> {
  const data = body.subarray(0, 5).toString('latin1') === 'data=' ? formData(body) : body;
  const isGzip = data[0] === 0x1f && data[1] === 0x8b;
  if (!isGzip) return data;
  try {
    return await gunzipBuffer(data, { maxOutputLength: MAX_JSON_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new HttpError(400, 'malformed_gzip', 'The events are not valid gzip.', { cause });
  }
}

/** Reads the first field alone, because each further one takes time to parse. */
function formData(body: Buffer): Buffer {
  const end = body.indexOf('&');
  const field = body.toString('latin1', 0, end === -1 ? body.length : end);
  return Buffer.from(new URLSearchParams(field).get('data') ?? '', 'base64');
}

const tooLarge = () =>
  new HttpError(413, 'too_large', `Send no more than ${MAX_JSON_BYTES / 1024} KB of events.`);
