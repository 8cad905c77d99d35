/** A histogram of the library that shows tallies of ours (bucket-tally.ts). */
import { Histogram, type Registry } from '@prometheus-io/client';
import type { BucketTally } from './bucket-tally.ts';

interface Options {
  name: string;
  help: string;
  registry: Registry;
  labelNames?: string[];
  /** Returns each tally with its labels. */
  read(): Iterable<[labels: Record<string, string>, BucketTally]>;
}

export class TalliedHistogram extends Histogram<string> {
  readonly #options: Options;

  constructor(options: Options) {
    const { name, help, registry, labelNames = [] } = options;
    super({ name, help, labelNames, registers: [registry] });
    this.#options = options;
  }

  override async get() {
    const { name, help, read } = this.#options;
    const values = [...read()].flatMap(([labels, tally]) => samplesOf(name, labels, tally));
    return { name, help, type: 'histogram', aggregator: 'sum', values } as unknown as ReturnType<
      Histogram<string>['get']
    >;
  }

  /** The registry prefers this method of the library's own histograms. */
  getForPromString() {
    return this.get();
  }
}

function samplesOf(name: string, labels: Record<string, string>, tally: BucketTally) {
  let count = 0;
  const buckets = tally.counts.map((more, i) => {
    count += more;
    const le = tally.bounds[i] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: tally.sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
