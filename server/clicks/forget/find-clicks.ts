/** Finds a visitor's clicks in a ledger file. */
import { linesOf, type PlacedLine } from './lines-of.ts';
import { type FoundClick, isWanted, readFound, type Wanted } from './wanted.ts';

export interface FoundLine extends PlacedLine {
  click: FoundClick;
}

/** Yields the clicks of each chunk that has any. @throws (rejects) as `linesOf` */
export async function* findClicks(path: string, wanted: Wanted): AsyncGenerator<FoundLine[]> {
  const mayBe = makeQuickTest(wanted);
  for await (const lines of linesOf(path)) {
    const found = lines.flatMap((line): FoundLine[] => {
      if (!mayBe(line.bytes)) return [];
      const click = readFound(line.bytes.toString());
      if (!click || !isWanted(click, wanted)) return [];
      // A copy, so that the chunk can go.
      return [{ offset: line.offset, bytes: Buffer.from(line.bytes), click }];
    });
    if (found.length > 0) yield found;
  }
}

const VISIT = /"visit_id":"([^"]{36})"/i;
const IPV6 = /"(?:remote_)?ip":"[\da-f.]*:/i;

/** Parsing every line would take several times as long. @returns whether a line must be parsed */
export function makeQuickTest({ visits, address }: Wanted): (line: Buffer) => boolean {
  const isIpv6 = address?.includes(':') ?? false;
  return (line) => {
    const text = line.toString('latin1');
    // JSON allows spaces and escapes that our server does not write.
    if (text.includes('\\u') || text.includes('" :') || text.includes(': ')) return true;
    if (visits.size > 0 && visits.has(VISIT.exec(text)?.[1]?.toLowerCase() ?? '')) return true;
    if (address === null) return false;
    return isIpv6 ? IPV6.test(text) : text.includes(`"${address}"`);
  };
}
