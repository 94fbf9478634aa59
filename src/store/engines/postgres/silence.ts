import { Socket } from 'node:net'
import pg from 'pg'
import { inTime } from '../../../async/in-time.ts'
import { sleep } from '../../../async/sleep.ts'
import { isAway } from '../../../domain/store-trouble.ts'

export interface Patience {
  /** A connection that waits for an answer, and of which nothing came for so long, is asked after. */
  readonly quietMs: number
  /** A server that does not answer on another connection by then is not there. */
  readonly answerMs: number
  /** For what was on its way meanwhile. */
  readonly settleMs: number
}

/** Twenty seconds, all together. */
const PATIENCE: Patience = { quietMs: 8_000, answerMs: 10_000, settleMs: 2_000 }
const LOOKS = 8
const GIVEN_UP = 'Connection terminated: nothing came from the server for too long'

/** A connection, and how much had come of it by when. */
interface Watched {
  heard: number
  sinceMs: number
}

/** What the server says of its sessions: those that it has, and what they do. */
type Sessions = ReadonlyMap<number, string | null>

/**
 * Ends connections of which nothing will come any more: the server lost its power, or somebody between us drops what we
 * send. No word comes of either, and whoever waits for an answer would wait for ever. A statement may take as long as it
 * wants while the server says that it is at it.
 */
export class SilenceWatch {
  readonly #url: string
  readonly #patience: Patience
  readonly #clients = new Map<pg.Client, Watched>()
  #looking: NodeJS.Timeout | undefined
  #lookedMs = 0
  #isAsking = false

  constructor(url: string, patience = PATIENCE) {
    this.#url = url
    this.#patience = patience
  }

  /** Until the connection ends. */
  add(client: pg.Client): void {
    this.#clients.set(client, { heard: heardOf(client), sinceMs: performance.now() })
    client.once('end', () => this.#remove(client))
    if (this.#looking !== undefined) return
    this.#lookedMs = performance.now()
    this.#looking = setInterval(() => this.#look(), this.#patience.quietMs / LOOKS).unref()
  }

  #remove(client: pg.Client): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #look(): void {
    const nowMs = performance.now()
    // While this program stood still it heard nothing of anybody.
    const stoodStill = nowMs - this.#lookedMs > this.#patience.quietMs / 2
    this.#lookedMs = nowMs
    for (const [client, watched] of this.#clients) {
      const heard = heardOf(client)
      if (isWaiting(client) && heard === watched.heard && !stoodStill) continue
      watched.heard = heard
      watched.sinceMs = nowMs
    }
    const quiet = [...this.#clients.keys()].filter((client) => this.#isQuiet(client))
    if (quiet.length > 0 && !this.#isAsking) void this.#askAfter(quiet)
  }

  #isQuiet(client: pg.Client): boolean {
    const watched = this.#clients.get(client)
    const isUnheard = watched !== undefined && heardOf(client) === watched.heard && isWaiting(client)
    return isUnheard && performance.now() - watched.sinceMs >= this.#patience.quietMs
  }

  async #askAfter(quiet: readonly pg.Client[]): Promise<void> {
    this.#isAsking = true
    const { answerMs, settleMs } = this.#patience
    const sessions = await sessionsAt(this.#url, answerMs)
    await sleep(settleMs)
    for (const client of quiet) if (this.#isQuiet(client)) this.#judge(client, sessions)
    this.#isAsking = false
  }

  #judge(client: pg.Client, sessions: Sessions | 'silent' | 'unknown'): void {
    const watched = this.#clients.get(client)
    const isLost = sessions === 'silent' || (sessions !== 'unknown' && !isBusy(sessions, client))
    if (isLost) client.connection.stream.destroy(new Error(GIVEN_UP))
    else if (watched) watched.sinceMs = performance.now()
  }
}

/** A session that waits for us has had nothing of what we asked, or has answered it. */
function isBusy(sessions: Sessions, client: pg.Client): boolean {
  const state = sessions.get(sessionOf(client))
  return state !== undefined && !state?.startsWith('idle')
}

const heardOf = ({ connection: { stream } }: pg.Client): number => (stream instanceof Socket ? stream.bytesRead : 0)

/** Something was asked whose answer has not ended. */
const isWaiting = (client: pg.Client): boolean => 'readyForQuery' in client && client.readyForQuery === false

/** By which the server knows the connection; somebody between us gives it a number of his own. */
const sessionOf = (client: pg.Client): number => ('processID' in client ? Number(client.processID) : Number.NaN)

/** `silent`: nobody answered. `unknown`: somebody did, who does not tell. */
async function sessionsAt(url: string, mostMs: number): Promise<Sessions | 'silent' | 'unknown'> {
  const client = new pg.Client({ connectionString: url, application_name: 'tollbook' })
  client.on('error', () => undefined)
  const asking = askFor(client).catch((error: unknown) => (isAnswer(error) ? 'unknown' : 'silent'))
  const sessions = await inTime<Sessions | 'silent' | 'unknown'>(asking, mostMs, 'silent')
  client.connection.stream.destroy()
  return sessions
}

async function askFor(client: pg.Client): Promise<Sessions | 'unknown'> {
  await client.connect()
  const { rows } = await client.query<{ pid: number; state: string | null; own: number }>(
    'select pid, state, pg_backend_pid() as own from pg_stat_activity where usename = session_user',
  )
  const isDirect = rows[0]?.own === sessionOf(client)
  return isDirect ? new Map(rows.map(({ pid, state }) => [pid, state])) : 'unknown'
}

/** Said by the server, or by its machine: the latter will say it of the silent connection, too. */
const isAnswer = (error: unknown): boolean =>
  !isAway(error) ||
  error instanceof pg.DatabaseError ||
  (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
