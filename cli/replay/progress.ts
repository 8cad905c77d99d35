/** Shows a command's progress on a terminal, in one line. Elsewhere it prints nothing. */

export interface Progress {
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

export function createProgress(stream: NodeJS.WriteStream): Progress {
  const write = (text: string) => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
  return { show: write, clear: () => write('') };
}
