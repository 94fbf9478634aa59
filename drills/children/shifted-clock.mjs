// Loaded before a program: moves its wall clock by the milliseconds that a file holds, which may change at any time. What
// only measures time (performance.now, timers) is left alone, as a real clock that is set leaves it alone.
import { readFileSync, watchFile } from 'node:fs'

const file = process.env.DRILL_CLOCK_FILE ?? ''
const read = () => Number(readFileSync(file, 'utf8'))
let aheadMs = read()
watchFile(file, { interval: 20, persistent: false }, () => {
  aheadMs = read()
})

const RealDate = Date
const now = () => RealDate.now() + aheadMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
