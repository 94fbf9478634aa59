import { Resolver } from 'node:dns/promises'

/** All addresses of a host name. Every one of them is checked before any is called. Rejects with a resolver's error. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** How long an answer for one family waits for the other: some name servers never answer for IPv6. */
const FAMILY_WAIT_MS = 500

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/**
 * Asks the name servers themselves: `getaddrinfo` would read the machine's hosts file and search domains, cannot be
 * given up, and holds one of the four threads that all file access shares.
 */
export function createLookup(options: { readonly servers?: readonly string[] } = {}): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  return async (hostname) => {
    const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    const first = await Promise.any(families).catch(() => [])
    if (first.length === 0) throw await reasonOf(families)
    const both = Promise.allSettled(families).then((answers) =>
      answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    )
    return await Promise.race([both, wait(FAMILY_WAIT_MS).then(() => first)])
  }
}

/** Only a name without a failed server has no address: a failure of one family says nothing about the name. */
async function reasonOf(families: readonly Promise<readonly string[]>[]): Promise<unknown> {
  const answers = await Promise.allSettled(families)
  const errors: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const noSuchName = errors.find((error) => codeOf(error) === 'ENOTFOUND')
  return noSuchName ?? errors.find((error) => codeOf(error) !== 'ENODATA') ?? errors[0]
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
