const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** The next signal that asks this program to end. While somebody waits for one, Node does not end it by itself. */
export const nextSignal = (): Promise<string> =>
  new Promise((resolve) => {
    const hear = (signal: string): void => {
      for (const name of SIGNALS) process.off(name, hear)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, hear)
  })
