import type { LocalAccount } from 'viem'
import { createSellers } from '../../src/acts/sellers/create-sellers.ts'
import { createLook, type SellerFiles } from '../../src/acts/sellers/look.ts'
import { lookAgain } from '../../src/acts/sellers/look-again.ts'
import type { SellerGate } from '../../src/acts/sellers/sellers.ts'
import { type StatementToSign, signClaim, signStatement } from '../../src/client/sellers.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import { sellerFilesOf } from '../../src/main/sellers/files.ts'
import { createSignatures } from '../../src/payment/signatures.ts'
import type { Egress } from '../../src/probe/egress.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { aListing, aProbe, aRoute, NOON_US } from './samples.ts'

export const HOST = 'api.seller.example'
/** What the directory is called in signed lines. */
export const HERE = 'tollbook.example'
export const OPEN_GATE: SellerGate = { signing: () => undefined, signed: () => undefined, seller: () => undefined }

export const ROUTE = `GET http://${HOST}/v1/weather x402`

/** No seller answers at all. */
export const NOBODY: SellerFiles = {
  read: async () => ({ kind: 'silent', why: 'no answer (connection_refused)' }),
  provesOwnership: () => false,
}

/** A directory that lists one seller, and people who sign. */
export async function openSelling(
  store: Store,
  door: Egress | null = null,
  isOptedOut: (host: string) => boolean = () => false,
) {
  const clock = { us: NOON_US }
  const nowUs = (): number => clock.us
  const files = door === null ? NOBODY : sellerFilesOf(door, isOptedOut)
  const look = createLook({ store, files, nowUs })
  const sellers = createSellers({
    ...{ store, allow: [], nowUs, look, directory: () => HERE },
    signatures: createSignatures({ rpcUrls: new Map() }),
    probing: { methods: ['GET', 'POST'], isOptedOut: () => false },
  })
  await saveListings(store, { listings: [aListing({ scheme: 'http' }), aListing({ scheme: 'http', path: '/v1/old' })] })

  /** Live challenges of a host name these wallets, on so many days before now. */
  const challenge = async (payees: readonly string[], days: number, host = HOST): Promise<void> => {
    const offers = payees.map((payee) => ({
      ...{ rail: 'x402' as const, network: 'eip155:8453', price: 10_000, asset: '0xasset', payee },
    }))
    const route = aRoute({ host, scheme: 'http' })
    for (let day = 1; day <= days; day++) {
      const atUs = NOON_US - day * DAY_US
      await saveProbes(store, {
        probes: [aProbe({ ...route, atUs, challenge: { offers, warnings: [] } })],
        payees: payees.map((payee) => ({
          ...{ ...route, network: 'eip155:8453', payee, asset: '0xasset', origin: 'challenge' as const },
          ...{ firstUs: atUs, lastUs: atUs },
        })),
      })
    }
  }

  const nowMs = (): number => clock.us / 1000
  return {
    sellers,
    clock,
    challenge,
    signedClaim: (account: LocalAccount, more: { host?: string; directory?: string } = {}) =>
      signClaim(account, { host: HOST, directory: HERE, nowMs: nowMs(), ...more }),
    claim: async (account: LocalAccount, host = HOST) =>
      sellers.claim(await signClaim(account, { host, directory: HERE, nowMs: nowMs() }), OPEN_GATE),
    signedStatement: (account: LocalAccount, more: Partial<StatementToSign> = {}) =>
      signStatement(account, {
        ...{ host: HOST, kind: 'contact', about: HOST, text: 'mail us', directory: HERE, nowMs: nowMs(), ...more },
      }),
    say: async (account: LocalAccount, more: Partial<StatementToSign> = {}) => {
      const said = {
        host: HOST,
        kind: 'contact',
        about: HOST,
        text: 'mail us',
        directory: HERE,
        nowMs: nowMs(),
      } as const
      const body = await signStatement(account, { ...said, ...more })
      return sellers.state(more.host ?? HOST, body, OPEN_GATE)
    },
    /** Goes on by a day and looks at every claim that is due. */
    nextDay: (days = 1): Promise<number> => {
      clock.us += days * DAY_US + 1
      const trouble = (error: unknown): never => {
        throw error
      }
      return lookAgain({ store, look, nowUs, sleep: async () => undefined, onTrouble: trouble })
    },
  }
}
