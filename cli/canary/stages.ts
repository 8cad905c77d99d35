/** The stages of a click's way, as the canary names the one that failed. */
export type Stage =
  | 'name resolution'
  | 'connection'
  | 'TLS'
  | 'HTTP answer'
  | 'HTTP status'
  | 'not on disk'
  | 'not in the index';

export class CanaryError extends Error {
  /** @param why a sentence */
  constructor(stage: Stage, why: string, cause?: unknown) {
    super(`The canary failed (${stage}). ${why}`, { cause });
  }
}
