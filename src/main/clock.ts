/** Wall clock in microseconds. It follows a clock that is set, which a count from the program's start would not. */
export const nowUs = (): number => Date.now() * 1000 + Math.floor((performance.now() % 1) * 1000)
