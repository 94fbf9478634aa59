import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type MetricName } from './list.ts'

/** Counters and gauges by their names in `METRICS`, and the text of all of them. */
export interface Instruments {
  counter(name: MetricName): Counter
  /** Without labels it begins at 0, which is a word already; `unsaid` ones are not there until they are set. */
  gauge(name: MetricName, begins?: 'at 0' | 'unsaid'): Gauge
  histogram(name: MetricName, buckets: number[]): Histogram
  text(): Promise<string>
}

/** With those of the process itself. */
export function createInstruments(): Instruments {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const of = (name: MetricName) => {
    const { help, labels } = METRICS[name]
    return { name, help, labelNames: [...labels], registers: [registry] }
  }
  return {
    counter: (name) => new Counter(of(name)),
    gauge: (name, begins = 'at 0') => {
      const gauge = new Gauge(of(name))
      if (begins === 'unsaid') gauge.remove()
      return gauge
    },
    histogram: (name, buckets) => new Histogram({ ...of(name), buckets }),
    text: () => registry.metrics(),
  }
}
