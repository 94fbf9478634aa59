import type { SellerHost } from '../../../domain/host.ts'
import { whyHref } from '../../site.ts'

/** To the page that says why a route is listed and probed as it is. */
export const WhyLink = ({ host, path }: { readonly host: SellerHost; readonly path: string }) => (
  <p class="small">
    <a href={whyHref(host, { path })}>Why is it listed and probed so? Who refused it, when is it probed next?</a>
  </p>
)
