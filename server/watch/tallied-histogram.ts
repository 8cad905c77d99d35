/** A histogram of the library that shows durations which the tallies have counted. */
import { Histogram, type Registry } from '@prometheus-io/client';
import { BOUNDS_S, type Durations } from './tallies.ts';

interface Options {
  name: string;
  help: string;
  read(): { labels: Record<string, string>; durations: Durations }[];
}

export class TalliedHistogram extends Histogram<string> {
  readonly #options: Options;

  constructor(registry: Registry, options: Options) {
    super({ name: options.name, help: options.help, registers: [registry] });
    this.#options = options;
  }

  override async get() {
    const { name, help, read } = this.#options;
    const values = read().flatMap(({ labels, durations }) => samplesOf(name, labels, durations));
    return { name, help, type: 'histogram', aggregator: 'sum', values } as never;
  }

  /** The registry prefers this method of the library's own histograms. */
  getForPromString() {
    return this.get();
  }
}

function samplesOf(name: string, labels: Record<string, string>, durations: Durations) {
  let below = 0;
  const buckets = durations.counts.map((more, i) => {
    below += more;
    const le = BOUNDS_S[i] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: durations.sumS },
    { metricName: `${name}_count`, labels, value: durations.count },
  ];
}
