/** PostHog refuses the whole request. */
export class Refusal extends Error {
  readonly status: number;
  readonly tag: string;

  /** @param description for V1 a sentence; for V0 the plain text of the answer */
  constructor(status: number, tag: string, description: string = tag) {
    super(description);
    this.status = status;
    this.tag = tag;
  }
}
