import { thousands } from '../../domain/count.ts'
import { assetName } from '../../domain/money/asset-name.ts'
import { MOST_PAYEES } from '../../domain/money/payee.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { SeenPayee } from '../../views/route/route-view.ts'
import { assetText, networkText, timeText } from '../values.ts'

export const PAYEES_HEADING = 'Payees seen'

/** On the page of a route; a decision names fewer. */
const SHOWN = 50

export const shownPayees = (payees: readonly SeenPayee[]): readonly SeenPayee[] => payees.slice(0, SHOWN)

export const payeeLine = ({ network, payee, asset, origin, firstUs, lastUs }: SeenPayee): string =>
  `${payee} on ${networkText(network)}, asset ${assetText(network, asset)}, named by a ${origin}, first seen ${timeText(firstUs)}, last seen ${timeText(lastUs)}`

/** Of a route that may have as many as are kept. */
export const payeesRoomLines = (total: number): readonly string[] =>
  total < MOST_PAYEES
    ? []
    : [
        `At most ${thousands(MOST_PAYEES)} payees that each source names are kept of one route, and as many that live challenges name; others are left out.`,
      ]

function nameJson({ network, asset }: SeenPayee): { readonly asset_name?: string } {
  const name = network === null || asset === null ? null : assetName(network, asset)
  return name === null ? {} : { asset_name: name }
}

export const payeesJson = (payees: readonly SeenPayee[], total: number) => ({
  untrusted: true,
  total,
  seen: payees.map((seen) => ({
    network: seen.network,
    payee: seen.payee,
    asset: seen.asset,
    ...nameJson(seen),
    named_by: seen.origin,
    first_seen: formatTimestamp(seen.firstUs),
    last_seen: formatTimestamp(seen.lastUs),
  })),
})
