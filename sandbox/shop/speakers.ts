/** Two hosts of one seller: the same wallet speaks for both. */
const SAME_SELLER: Readonly<Record<string, string>> = { 'picky.seller.test': 'quotes.seller.test' }

/** Whose payee speaks for a host: the file at `/.well-known/tollbook` names it. */
export const speakerOf = (host: string): { readonly host: string } => ({ host: SAME_SELLER[host] ?? host })
