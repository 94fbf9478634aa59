/** Where progress is shown: standard error, and only when a person watches. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Progress {
  /** `total` unknown: counts without a bar. `more` stands at the end, as far as there is room. */
  update(label: string, done: number, total: number | null, more?: string): void
  /** Leaves a clean line behind. */
  end(): void
}

const WIDTH = 24
const EVERY_MS = 100
const NOW_MS = (): number => performance.now()

/** One line that is drawn again as work goes on; silent when nobody watches. */
export function progressOn(screen: Screen, nowMs = NOW_MS): Progress {
  if (!screen.isTTY) return { update: () => undefined, end: () => undefined }
  const started = nowMs()
  let drawn = Number.NEGATIVE_INFINITY
  return {
    update: (label, done, total, more = '') => {
      const now = nowMs()
      if (now - drawn < EVERY_MS && done !== total) return
      drawn = now
      const line = `${progressLine(label, done, total, (now - started) / 1000)}${more && `  ${more}`}`
      screen.write(`\r\u001b[K${line.slice(0, (screen.columns ?? 80) - 1)}`)
    },
    end: () => screen.write('\r\u001b[K'),
  }
}

/** Without a terminal, a line at most this often. */
const LINE_EVERY_MS = 10_000

/** A bar on a terminal, a line now and then otherwise, for work that takes long. */
export function longProgressOn(screen: Screen, nowMs = NOW_MS) {
  const progress = progressOn(screen, nowMs)
  let told = nowMs()
  return {
    update: (bar: Parameters<Progress['update']>, line: () => string): void => {
      progress.update(...bar)
      if (screen.isTTY || nowMs() - told < LINE_EVERY_MS) return
      told = nowMs()
      screen.write(`${line()}\n`)
    },
    end: progress.end,
  }
}

/** `saving  ███████░░░░░  61%  610,000 of 1,000,000  52,000/s  8 s left` */
export function progressLine(label: string, done: number, total: number | null, seconds: number): string {
  const count = (value: number): string => Math.round(value).toLocaleString('en-US')
  const rate = seconds > 0 ? done / seconds : 0
  const speed = `${count(rate)}/s`
  if (total === null) return `${label}  ${count(done)}  ${speed}`
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(share * WIDTH)
  const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
  const left = rate > 0 && done < total ? `  ${count(Math.ceil((total - done) / rate))} s left` : ''
  return `${label}  ${bar}  ${Math.floor(share * 100)}%  ${count(done)} of ${count(total)}  ${speed}${left}`
}
