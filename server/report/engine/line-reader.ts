/**
 * Reads ledger lines into records. Lines as our server writes them are read byte by byte. Every other line goes to
 * `parseLine`, which decides alone whether it is a click.
 */
import { isbot } from 'isbot';
import { type LedgerLine, parseLine } from '../../clicks/ledger/parse-line.ts';
import { Dictionary, TEXT_FIELDS, type Texts } from './dictionary.ts';
import { delayOf, nameCampaign } from './line-values.ts';
import {
  AT,
  FLAG,
  MAX_DELAY_MS,
  RECORD_WORDS,
  SCREEN_SHIFT,
  SCREENS,
  setReceived,
  setUuid,
  smallCode,
  VIA_SHIFT,
  VIAS,
} from './record.ts';
import { ScannedLine } from './scan-line.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Upper bound of remembered user agents. */
const CACHED_AGENTS = 5000;

export class LineReader {
  readonly #dictionaries = {
    event: new Dictionary(),
    ref: new Dictionary(),
    campaign: new Dictionary(),
    domain: new Dictionary(),
  };
  readonly #robots = new Map<string, boolean>();
  readonly #scanned = new ScannedLine();
  /** The last line that `read` accepted. */
  readonly record = new Uint32Array(RECORD_WORDS);

  texts(): Texts {
    return Object.fromEntries(
      TEXT_FIELDS.map((field) => [field, this.#dictionaries[field].texts]),
    ) as Texts;
  }

  /** Fills `record`, except for the line's place. @returns whether the line is a click */
  read(bytes: Buffer, start: number, end: number): boolean {
    if (this.#scanned.scan(bytes, start, end)) {
      this.#takeScanned(bytes);
      return true;
    }
    const line = parseLine(bytes.toString('utf8', start, end));
    if (line) this.#takeParsed(line);
    return line !== null;
  }

  #takeScanned(bytes: Buffer): void {
    const { record } = this;
    const line = this.#scanned;
    const { event, ref, campaign, domain } = this.#dictionaries;
    record.set(line.ids, AT.id);
    setReceived(record, 0, line.received);
    record[AT.delay] = Math.min(line.delay, MAX_DELAY_MS);
    const text = ([from, to]: readonly [number, number]) =>
      from === to ? '' : bytes.toString('latin1', from, to);
    record[AT.ref] = ref.codeOfRaw(text(line.ref));
    record[AT.campaign] = campaign.codeOfRaw(text(line.campaign), nameCampaignText);
    record[AT.domain] = domain.codeOfRaw(text(line.domain));
    record[AT.event] = event.codeOfRaw(text(line.event)) + line.seq * 0x10000;
    record[AT.flags] =
      line.flags +
      (this.#isListed(text(line.agent)) ? FLAG.listed : 0) +
      (smallCode(SCREENS, text(line.screen)) << SCREEN_SHIFT) +
      (smallCode(VIAS, text(line.via)) << VIA_SHIFT);
  }

  #takeParsed(line: LedgerLine): void {
    const { record } = this;
    const { event, ref, campaign, domain } = this.#dictionaries;
    const hasVisit = UUID.test(line.visit_id ?? '');
    setUuid(record, AT.id, line.id);
    if (hasVisit) setUuid(record, AT.visit, line.visit_id as string);
    else record.fill(0, AT.visit, AT.visit + 4);
    setReceived(record, 0, Date.parse(line.received_at));
    record[AT.delay] = Math.min(delayOf(line.timestamp, line.sent_at), MAX_DELAY_MS);
    record[AT.ref] = ref.codeOf(line.referrer ?? '');
    record[AT.campaign] = campaign.codeOf(nameCampaign(line.campaign));
    record[AT.domain] = domain.codeOf(line.referring_domain ?? '');
    record[AT.event] = event.codeOf(line.event) + (line.seq ?? 0) * 0x10000;
    const device = line.is_mobile === undefined ? 0 : line.is_mobile ? FLAG.mobile : FLAG.desktop;
    record[AT.flags] =
      (line.is_bot ? FLAG.robot : 0) +
      (this.#isListed(Buffer.from(line.user_agent).toString('latin1')) ? FLAG.listed : 0) +
      (line.private ? FLAG.private : 0) +
      (hasVisit ? FLAG.visit : 0) +
      device +
      (smallCode(SCREENS, line.screen_class ?? '') << SCREEN_SHIFT) +
      (smallCode(VIAS, line.via) << VIA_SHIFT);
  }

  #isListed(rawAgent: string): boolean {
    let answer = this.#robots.get(rawAgent);
    if (answer === undefined) {
      answer = isbot(Buffer.from(rawAgent, 'latin1').toString('utf8'));
      if (this.#robots.size >= CACHED_AGENTS) this.#robots.clear();
      this.#robots.set(rawAgent, answer);
    }
    return answer;
  }
}

/** The scanner accepts only an object of plain texts here. */
const nameCampaignText = (json: string) =>
  json === '' ? '' : nameCampaign(JSON.parse(json) as Record<string, string>);
