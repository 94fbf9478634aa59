import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { NO_VANTAGE, type Vantage } from '../../domain/now/vantage.ts'
import { METRICS, type MetricName } from './list.ts'

/** All figures of a process as plain data. */
export type Measured = MetricObjectWithValues<MetricValue<string>>[]

/** Counters and gauges by their names in `METRICS`, and the text of all of them. */
export interface Instruments {
  counter(name: MetricName): Counter
  /** Without labels it begins at 0, which is a word already; `unsaid` ones are not there until they are set. */
  gauge(name: MetricName, begins?: 'at 0' | 'unsaid'): Gauge
  histogram(name: MetricName, buckets: number[]): Histogram
  text(): Promise<string>
  measured(): Promise<Measured>
}

/** The label of a place that probers look from; without a name there is none. */
export const ofVantage = (vantage: Vantage | null) => (vantage === null || vantage === NO_VANTAGE ? {} : { vantage })

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
    measured: () => registry.getMetricsAsJSON(),
  }
}

/** As if the leader and its workers were one process: added up, save for what only one of them can say. */
export function textOfAll(leader: Measured, workers: readonly Measured[]): Promise<string> {
  // When a process began, which the library leaves out: the leader's own is that of the program.
  const first = leader.map((metric) => (metric.aggregator === 'omit' ? { ...metric, aggregator: FIRST } : metric))
  const others = workers.map((measured) => measured.filter(({ name }) => !OF_THE_PROGRAM.includes(name)))
  return AggregatorRegistry.aggregate([first, ...others]).metrics()
}

/** Counters and histograms added up; gauges are of a moment, and left out. */
export function sumOfCounted(all: readonly Measured[]): Promise<Measured> {
  const counted = all.map((measured) => measured.filter(({ type }) => COUNTED.includes(String(type))))
  return AggregatorRegistry.aggregate(counted).getMetricsAsJSON()
}

const COUNTED: readonly string[] = ['counter', 'histogram']
const FIRST = 'first'
const OF_THE_PROGRAM: readonly string[] = ['tollbook_build_info'] satisfies MetricName[]
