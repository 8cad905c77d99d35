/**
 * Lines in the Kafka topic `clicks`. The key is the click's id. Kafka keeps a line that arrives again after a crash a second time, so
 * readers take each key once, as with any topic that is filled at least once.
 */
import { ProduceAcks, Producer, stringSerializers } from '@platformatic/kafka';
import type { Sink } from './sink.ts';

const TOPIC = 'clicks';

export function openKafkaSink(url: URL): Sink {
  const producer = new Producer({
    clientId: 'site',
    bootstrapBrokers: [url.host],
    serializers: stringSerializers,
    // As many copies as the topic demands must have a line.
    acks: ProduceAcks.ALL,
    autocreateTopics: true,
  });
  return {
    async write(lines) {
      await producer.send({
        messages: lines.map(({ id, text }) => ({ topic: TOPIC, key: id, value: text })),
      });
    },
    close: () => producer.close(),
  };
}
