/** The server's copy of the table of codes. It is read at the start and at SIGHUP. */
import { type CodeEntry, readCampaigns } from './campaigns.ts';

export interface KnownCodes {
  /** Returns the table's spelling of a code, which people may type in other letters; null: the table does not have it. */
  spellingOf(code: string): string | null;
  /** Reads the file again. With a fault in it, the server continues with the table that it has. */
  reload(): void;
}

interface Log {
  info(message: string): void;
  error(message: string): void;
}

/**
 * A fault in the file is logged and does not stop the server, because links work without the table.
 *
 * @param path null: there is no table
 */
export function openKnownCodes(path: string | null, log: Log): KnownCodes {
  let spellings = new Map<string, string>();
  const load = (): boolean => {
    if (path === null) return false;
    try {
      spellings = bySpelling(readCampaigns(path));
      return true;
    } catch (cause) {
      log.error(
        `${(cause as Error).message}\nLinks still work. Correct the file, then send SIGHUP.`,
      );
      return false;
    }
  };
  load();
  return {
    spellingOf: (code) => spellings.get(code.toLowerCase()) ?? null,
    reload() {
      if (load()) log.info(`Read ${spellings.size} codes of links from ${path}`);
    },
  };
}

const bySpelling = (campaigns: CodeEntry[]) =>
  new Map(campaigns.map(({ code }) => [code.toLowerCase(), code]));
