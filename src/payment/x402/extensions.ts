import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import {
  declarePaymentIdentifierExtension,
  isValidPaymentId,
  PAYMENT_IDENTIFIER,
} from '@x402/extensions/payment-identifier'
import { z } from 'zod'

const EXAMPLE = {
  text: 'Answers within a second and matches its listing.',
  wallet: '0x0000000000000000000000000000000000000001',
  signature: '0x...',
  signed_at: '2026-11-14T12:34:56Z',
}

const text = (description: string) => ({ type: 'string', description })
const FIELDS = {
  text: text('The post: 1 to 4,000 characters.'),
  wallet: text('The wallet that signs and pays.'),
  signature: text('EIP-191 signature of the four lines that GET .../message returns.'),
  signed_at: text('When it was signed, like 2026-11-14T12:34:56Z.'),
}

/** How the endpoint is called, for version 2: whoever settles our payments may list us. */
const DISCOVERY = declareDiscoveryExtension({
  input: EXAMPLE,
  inputSchema: { type: 'object', properties: FIELDS, required: Object.keys(FIELDS) },
  bodyType: 'json',
})

/** The same for version 1, where it is a member of the requirements. */
export const OUTPUT_SCHEMA = {
  input: { type: 'http', method: 'POST', discoverable: true, bodyType: 'json', bodyFields: FIELDS },
} as const

/** The method is known here, and a listing without it is refused; the library adds it in its middleware alone. */
function withMethod(extensions: typeof DISCOVERY): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extensions).map(([key, { info, ...rest }]) => [
      key,
      { ...rest, info: { ...info, input: { ...info.input, method: 'POST' } } },
    ]),
  )
}

const DECLARED = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false), ...withMethod(DISCOVERY) }

/** Fresh every time: what is given to the library and to payers is theirs to change. */
export const declaredExtensions = (): Record<string, unknown> => structuredClone(DECLARED)

const carried = z.object({ [PAYMENT_IDENTIFIER]: z.unknown().optional() })
const identified = z
  .object({ info: z.object({ id: z.string().refine(isValidPaymentId).optional() }).optional() })
  .optional()

/**
 * The payer's own name for the payment: `undefined` when there is none, null when what stands in its place is not one.
 * Whoever gave any name relies on it to pay once.
 */
export function identifierIn(extensions: unknown): string | null | undefined {
  const found = identified.safeParse(carried.safeParse(extensions).data?.[PAYMENT_IDENTIFIER])
  return found.success ? found.data?.info?.id : null
}

/** What the facilitator is told: our own declarations, and the payer's name for the payment. */
export function extensionsFor(identifier: string | null): Record<string, unknown> {
  const named = declarePaymentIdentifierExtension(false)
  return identifier === null
    ? declaredExtensions()
    : { ...declaredExtensions(), [PAYMENT_IDENTIFIER]: { ...named, info: { ...named.info, id: identifier } } }
}
