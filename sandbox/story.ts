/** Where the story is told; the little of a stream that it needs. */
export interface Stage {
  readonly isTTY?: boolean
  /** Of a terminal: whether colours are wanted there, as NO_COLOR says. */
  hasColors?(): boolean
  write(text: string): unknown
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = 80
const CLEAR_LINE = '\r\x1b[2K'
const GREEN = '\x1b[32m'
const DIM = '\x1b[2m'
const PLAIN = '\x1b[0m'

/** Tells what is being done while it is done: a spinner and ticks on a terminal, plain lines otherwise. */
export class Story {
  constructor(
    private readonly stage: Stage,
    private readonly nowMs: () => number,
  ) {}

  say(line = ''): void {
    this.stage.write(`${line}\n`)
  }

  /** Does one step of the story; `outcome` says what came of it. */
  async step<T>(what: string, work: () => Promise<T>, outcome: (result: T) => string = () => ''): Promise<T> {
    const stop = this.stage.isTTY ? this.#spin(what) : () => undefined
    const startedMs = this.nowMs()
    try {
      const result = await work()
      stop()
      this.#tick(what, outcome(result), this.nowMs() - startedMs)
      return result
    } catch (error) {
      stop()
      this.say(`  ✗ ${what}`)
      throw error
    }
  }

  #tick(what: string, outcome: string, ms: number): void {
    const seconds = `${(ms / 1000).toFixed(1)} s`
    const told = outcome === '' ? what : `${what}: ${outcome}`
    const isColoured = this.stage.hasColors?.() ?? this.stage.isTTY
    this.say(isColoured ? `  ${GREEN}✓${PLAIN} ${told} ${DIM}${seconds}${PLAIN}` : `  ✓ ${told} (${seconds})`)
  }

  #spin(what: string): () => void {
    let frame = 0
    const draw = (): void => {
      this.stage.write(`${CLEAR_LINE}  ${FRAMES[frame++ % FRAMES.length]} ${what}`)
    }
    draw()
    const timer = setInterval(draw, FRAME_MS)
    return () => {
      clearInterval(timer)
      this.stage.write(CLEAR_LINE)
    }
  }
}
