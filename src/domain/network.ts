import { TWICE } from './money/dollar-networks.ts'
import { knownNetwork as knownAs } from './money/known-networks.ts'

/** A word, or an id of 32 bytes in base64, whose signs stand in no other (`algorand:…=`). */
const FORM = /^[a-z\d]([\w:.-]{0,99}|[a-z\d]+:[a-z\d+/]{43}=)$/i
const WORDS = /^[a-z\d]+([ _-][a-z\d]+)*$/i

/** Whether a text can name any network, known or not: it is printed inside lines, so no spaces and no commas. */
export const isNetwork = (text: string): boolean => FORM.test(text)

/** Whether a stranger's text names a network: one with spaces only where a known one's name is in it (`Base Sepolia`, `Ethereum L2`). */
export const isListedNetwork = (text: string): boolean =>
  isNetwork(text) ||
  (text.length <= 100 && (WORDS.test(text) || TWICE.test(text)) && knownAs(text.replace(/ l2$/i, '')) !== undefined)

/** As somebody wrote it, a chain's bare number included, or `null` where it cannot be printed inside a line. */
export function networkOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(value) : ''
  return isListedNetwork(text) ? text : null
}

/**
 * The form in which two writings of one network are equal: CAIP-2 where the network is known. Networks are printed as the
 * source wrote them and compared in this form.
 */
export function networkKey(network: string): string {
  const known = knownAs(network)
  if (known !== undefined) return known.id
  return /^eip155:\d+$/i.test(network) ? network.toLowerCase() : network
}

/** What people call the network, whatever way it is written; `null` for one that is not known. */
export const networkName = (network: string): string | null => knownAs(network)?.names[0] ?? null

/** What stands beside a network that is written as an id or a number, for people: its name. `null` beside a name. */
export const nameBeside = (network: string): string | null => (/[:]|^\d+$/.test(network) ? networkName(network) : null)

/** Whether the money there is worth nothing: known test networks, and those that call themselves so. */
export const isTestNetwork = (network: string): boolean => {
  const known = knownAs(network)
  if (known !== undefined) return known.isTest
  return /(?:test|dev)net|sepolia|goerli|holesky|hoodi|(?:^|[:._-])test$/i.test(network)
}
