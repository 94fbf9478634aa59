import type { Logger } from 'pino'
import { createSellers, type OnSellerWrite } from '../../acts/sellers/create-sellers.ts'
import { createLook } from '../../acts/sellers/look.ts'
import { lookAgainForever } from '../../acts/sellers/look-again.ts'
import type { Sellers } from '../../acts/sellers/sellers.ts'
import { sleep } from '../../async/sleep.ts'
import { failureFields } from '../../domain/store-trouble.ts'
import type { OnCall } from '../../payment/call-outcome.ts'
import { createSignatures } from '../../payment/signatures.ts'
import type { Egress } from '../../probe/egress.ts'
import { isOptedOut } from '../../probe/politeness.ts'
import type { Store } from '../../store/store.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'
import { sellerFilesOf } from './files.ts'

/** Everything about sellers that a web process runs. */
export interface Selling {
  readonly sellers: Sellers
  /** Looks at every claim again each day, until the signal. */
  keep(signal: AbortSignal): Promise<void>
}

export interface SellingDeps {
  readonly config: Config
  readonly store: Store
  /** Asked each time, because it names the directory's own address, whose port may be known late. */
  readonly egress: () => Egress
  readonly log: Logger
  /** What this directory is called in signed lines. */
  readonly directory: () => string
  readonly onCall?: OnCall
  readonly onWrite?: OnSellerWrite
}

export function createSelling({ config, store, egress, log, directory, onCall, onWrite }: SellingDeps): Selling {
  const { methods, manners } = config.probing
  const isOut = (host: string): boolean => isOptedOut(manners.optOut, host)
  const files = sellerFilesOf({ fetch: (request) => egress().fetch(request) }, isOut)
  const look = createLook({ store, files, nowUs })
  const signatures = createSignatures({ rpcUrls: config.payments.rpcUrls, onCall })
  const onTrouble = (error: unknown): void => log.error(failureFields(error), 'claims could not be looked at again')
  return {
    sellers: createSellers({
      ...{ store, signatures, allow: config.allowHosts, nowUs, directory, look },
      probing: { methods, isOptedOut: isOut },
      ...(onWrite && { onWrite }),
    }),
    keep: (signal) => lookAgainForever({ store, look, nowUs, sleep, onTrouble }, signal),
  }
}
