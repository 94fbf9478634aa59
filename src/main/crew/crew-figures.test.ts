import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInstruments, type Instruments, textOfAll } from '../watching/instruments.ts'
import { CrewFigures } from './crew-figures.ts'

interface Counting {
  readonly instruments: Instruments
  answer(seconds: number): void
}

function aWorker(): Counting {
  const instruments = createInstruments()
  const requests = instruments.counter('tollbook_requests_total')
  const seconds = instruments.histogram('tollbook_request_seconds', [0.1, 1])
  instruments.gauge('tollbook_cache_bytes').set(100)
  return {
    instruments,
    answer: (took) => {
      requests.inc({ method: 'GET', status: 200, cached: 'no' })
      seconds.observe(took)
    },
  }
}

/** What a scrape reads, by name and labels. */
async function read(figures: CrewFigures): Promise<Map<string, number>> {
  const lines = (await textOfAll([], await figures.all())).split('\n').filter((line) => /^tollbook/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const REQUESTS = 'tollbook_requests_total{method="GET",status="200",cached="no"}'

describe('figures of web workers', () => {
  it('keep what an ended one had counted, and not what it held', async () => {
    const figures = new CrewFigures()
    const [first, second] = [aWorker(), aWorker()]
    for (const number of [1, 2]) figures.begin(number)
    first.answer(0.05)
    first.answer(0.5)
    second.answer(5)
    figures.hear(1, { id: 0, measured: await first.instruments.measured() })
    figures.hear(2, { id: 1, measured: await second.instruments.measured() })
    const before = await read(figures)
    expect(before.get(REQUESTS)).toBe(3)
    expect(before.get('tollbook_cache_bytes')).toBe(200)
    figures.end(1)
    figures.hear(1, { id: 2, measured: await first.instruments.measured() })
    const after = await read(figures)
    expect(after).toEqual(new Map([...before, ['tollbook_cache_bytes', 100]]))
    expect(after.get('tollbook_request_seconds_bucket{le="1"}')).toBe(2)
  })

  it('never fall, whoever is late, ends or is started', async () => {
    const step = fc.record({ place: fc.nat(2), act: fc.constantFrom('answer', 'say', 'say late', 'end') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const figures = new CrewFigures()
        let [workers, id, highest] = [0, 0, 0]
        const start = () => {
          workers += 1
          figures.begin(workers)
          return { ...aWorker(), number: workers, late: [] as (() => void)[] }
        }
        const places = [start(), start(), start()]
        for (const { place, act } of steps) {
          const worker = places[place] ?? start()
          if (act === 'answer') worker.answer(0.5)
          else if (act === 'end') {
            figures.end(worker.number)
            for (const say of worker.late) say()
            places[place] = start()
          } else {
            const said = { id: id++, measured: await worker.instruments.measured() }
            if (act === 'say late') worker.late.push(() => figures.hear(worker.number, said))
            else {
              figures.hear(worker.number, said)
              for (const say of worker.late) say()
            }
          }
          const seen = (await read(figures)).get(REQUESTS) ?? 0
          expect(seen).toBeGreaterThanOrEqual(highest)
          highest = seen
        }
      }),
      { numRuns: 20 },
    )
  })
})
