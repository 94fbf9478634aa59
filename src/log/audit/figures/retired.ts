import { type Retirement, retirementsOf, type StatementKind, type Told } from '../../../domain/seller/statement.ts'
import { formatTimestamp, parseTimestamp } from '../../../domain/time/timestamp.ts'
import type { EntryRecord } from '../../../wire/log/entry.ts'
import { type Differences, isShown, type Shown } from '../shown.ts'

const DECIDING: readonly StatementKind[] = ['retire', 'moved', 'probe']

/** Whether a statement has a say in what is retired. */
export const decides = ({ says }: EntryRecord): boolean => DECIDING.some((kind) => kind === says)

/** What a host's seller retired by what it said. */
export class ReplayedRetirements {
  readonly #all: readonly Retirement[]
  /** Numbers of routes by their names. */
  readonly #numbers = new Map<string, number>()
  /** Whether every statement names its route as the log does: the directory also finds one by another spelling. */
  readonly #isExact: boolean

  constructor(host: string, said: readonly EntryRecord[], routes: ReadonlySet<string>) {
    const told = said.flatMap((record) => this.#told(host, record))
    this.#all = retirementsOf(told)
    this.#isExact = [...this.#numbers.keys()].every((name) => routes.has(name))
  }

  #told(host: string, record: EntryRecord): Told[] {
    const kind = DECIDING.find((one) => one === record.says)
    const atUs = parseTimestamp(String(record.submitted_at))
    if (kind === undefined || atUs === undefined) return []
    const about = String(record.about)
    return [
      {
        id: String(record.id),
        kind,
        about,
        atUs,
        routeId: kind === 'moved' || about === host ? null : this.#numberOf(about),
      },
    ]
  }

  #numberOf(route: string): number {
    const known = this.#numbers.get(route) ?? this.#numbers.size
    this.#numbers.set(route, known)
    return known
  }

  /** Of a route by its name, alone or with the whole host; without a name, of the host. */
  of(route?: string): Retirement | undefined {
    const number = route === undefined ? null : this.#numbers.get(route)
    const own = number === undefined ? undefined : this.#all.find(({ routeId }) => routeId === number)
    return own ?? this.#all.find(({ routeId }) => routeId === null)
  }

  /** Of what is shown of a route, where the log does not say which one is meant. */
  by(statementId: string | null, route: string): Retirement | undefined {
    return this.#isExact ? this.of(route) : this.#all.find((one) => one.statementId === statementId)
  }
}

/** Holds what is shown to be retired, of a host or of a route, against that. */
export function compareRetired(
  what: string,
  shown: unknown,
  logged: (statementId: string | null) => Retirement | undefined,
  found: Differences,
): void {
  const said = isShown(shown) ? shown : undefined
  const id = said === undefined ? null : statementIn(said)
  const retirement = logged(id)
  found.same(`${what}: retired by the statement`, id, retirement?.statementId ?? null)
  if (said === undefined || retirement?.statementId !== id) return
  found.same(`${what}: retired since`, said.since, formatTimestamp(retirement.sinceUs))
  // It leads there only while the same wallet speaks for both.
  if (said.moved_to !== null) found.same(`${what}: moved to`, said.moved_to, retirement.movedTo)
}

/** The last part of its address. */
const statementIn = ({ statement }: Shown): string => String(statement).split('/').at(-1) ?? ''
