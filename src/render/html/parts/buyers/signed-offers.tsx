import { contradictionLine } from '../../../../domain/offers/contradictions.ts'
import { offerLine } from '../../../../domain/offers/seen-offer.ts'
import type { HostView, RouteView } from '../../../../views/host/host-view.ts'
import { hostContradictions, OFFERS_HEADING } from '../../../buyers/signed-offers.ts'

/** What the seller put its signature to, and what it asked for all the same. */
export const SignedOffers = ({
  route,
  heading: Heading,
}: {
  readonly route: RouteView
  readonly heading: 'h2' | 'h4'
}) =>
  route.signedOffers.length === 0 ? null : (
    <>
      <Heading>{OFFERS_HEADING}</Heading>
      {route.contradictions.map((found) => (
        <p key={contradictionLine(found)} class="differs">
          {contradictionLine(found)}
        </p>
      ))}
      <pre class="lines">{route.signedOffers.map(offerLine).join('\n')}</pre>
    </>
  )

/** At the top of a host: where it broke its word. */
export const Contradicted = ({ view }: { readonly view: HostView }) => (
  <>
    {hostContradictions(view).map((line) => (
      <p key={line} class="differs">
        {line}
      </p>
    ))}
  </>
)
