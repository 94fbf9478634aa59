import { NO_DATA, thousands } from '../../domain/count.ts'
import { MOST_PAYEES } from '../../domain/money/payee.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { SeenPayee } from '../../views/route/route-view.ts'
import { networkText, timeText } from '../values.ts'

export const PAYEES_HEADING = 'Payees seen'

/** On the page of a route; a decision names fewer. */
const SHOWN = 50

export const shownPayees = (payees: readonly SeenPayee[]): readonly SeenPayee[] => payees.slice(0, SHOWN)

export const payeeLine = ({ network, payee, asset, origin, firstUs, lastUs }: SeenPayee): string =>
  `${payee} on ${networkText(network)}, asset ${asset ?? NO_DATA}, named by a ${origin}, first seen ${timeText(firstUs)}, last seen ${timeText(lastUs)}`

/** Of a route that may have as many as are kept. */
export const payeesRoomLines = (total: number): readonly string[] =>
  total < MOST_PAYEES
    ? []
    : [
        `At most ${thousands(MOST_PAYEES)} payees that each source names are kept of one route, and as many that live challenges name; others are left out.`,
      ]

export const payeesJson = (payees: readonly SeenPayee[], total: number) => ({
  untrusted: true,
  total,
  seen: payees.map((seen) => ({
    network: seen.network,
    payee: seen.payee,
    asset: seen.asset,
    named_by: seen.origin,
    first_seen: formatTimestamp(seen.firstUs),
    last_seen: formatTimestamp(seen.lastUs),
  })),
})
