/** A place that gets every line of the stream, for other tools than ours. Each kind is a file of its own. */

export interface SinkLine {
  /** The click's id; for a line that is not a click, its place in its ledger. */
  id: string;
  /** UUID of the ledger, one per server. */
  ledgerId: string;
  /** The line's number in the stream. It grows, with gaps. */
  sequence: number;
  /** The line of the ledger, without its newline. */
  text: string;
}

export interface Sink {
  /**
   * Stores lines, in the order of their sequence. Lines can arrive again after a crash; the sink keeps each one once, if it can.
   * kafka-sink.ts cannot.
   *
   * @throws (rejects) if it does not have all of them; they then arrive again
   */
  write(lines: readonly SinkLine[]): Promise<void>;
  close(): Promise<void>;
}
