// Ends what a test run has left behind, however the run ended, `kill -9` included, and removes its files. Every process of a run
// carries the run's name in its environment; this one is outside, and hears of the run's end by a pipe that closes.
// Arguments: the run's name, the folder of its files, its own process, and those above it whose end is the run's end too (npm and its shell).
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'

export const RUN = 'TOLLBOOK_TEST_RUN'
const LOOK_MS = 500
/** From being asked to end to being ended. */
const GRACE_MS = 1500

/** The processes of a run, by id. From `/proc` where there is one: small Linux images have no `ps`.
 * @param {string} name
 * @returns {number[]} */
export function processesOf(name) {
  const mark = `${RUN}=${name}`
  if (!existsSync('/proc/self/environ')) {
    const rows = execFileSync('ps', ['-Eww', '-A', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 })
    return rows.split('\n').flatMap((row) => (row.includes(mark) ? [Number.parseInt(row, 10)] : []))
  }
  return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) && isMarked(pid, mark) ? [Number(pid)] : []))
}

/** @param {string} pid @param {string} mark */
function isMarked(pid, mark) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
  } catch {
    // It has ended, or is somebody else's.
    return false
  }
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal */
function tell(pid, signal) {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {string} name @param {number} run @param {number[]} above */
async function guard(name, run, above) {
  let isOver = false
  process.stdin.on('end', () => {
    isOver = true
  })
  process.stdin.on('error', () => {
    isOver = true
  })
  process.stdin.resume()
  while (!isOver && above.every((pid) => tell(pid, 0))) await after(LOOK_MS)
  // It carries no name: it was there before. While the pipe is open, its number is its own.
  if (!isOver) tell(run, 'SIGKILL')
  for (const pid of processesOf(name)) tell(pid, 'SIGINT')
  await after(GRACE_MS)
  for (let left = processesOf(name); left.length > 0; left = processesOf(name)) {
    for (const pid of left) tell(pid, 'SIGKILL')
    await after(LOOK_MS)
  }
}

if (process.argv[1]?.endsWith('run-guard.mjs')) {
  const [name = '', folder = '', run, ...above] = process.argv.slice(2)
  await guard(name, Number(run), above.map(Number))
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.exit(0)
}
