const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** A terminal that is closed says so more than once: that is one wish to end, and no hurry. */
let isHungUp = false

/** The next signal that asks this program to end. While somebody waits for one, Node does not end it by itself. */
export const nextSignal = (): Promise<string> =>
  new Promise((resolve) => {
    const hear = (signal: string): void => {
      if (signal === 'SIGHUP' && isHungUp) return
      isHungUp ||= signal === 'SIGHUP'
      for (const name of SIGNALS) process.off(name, hear)
      // Without a listener the next one would end the program on the spot.
      if (isHungUp) process.on('SIGHUP', () => undefined)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, hear)
  })
