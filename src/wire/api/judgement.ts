import { z } from 'zod'
import { FINDING_CODES, SEVERITIES } from '../../domain/guard/finding.ts'
import { DOLLARS } from '../../domain/money/price.ts'
import { decision } from './decision.ts'
import { assetIfSaid, href, method, network, payeeIfSaid, price, rail } from './values.ts'

/** Longer words of a seller are cut before they are sent. */
const word = z.string().max(200)

/** What a seller asks for now, as whoever is about to pay read it from the live challenge. */
const liveOffer = z.strictObject({
  price: z
    .string()
    .regex(DOLLARS)
    .nullable()
    .describe('Dollars, such as 0.020000; null where the asset has no known dollar value'),
  network: word.nullable().describe('As the challenge writes it, such as eip155:8453'),
  asset: word.optional().describe('Address or name of the asset'),
  payee: word.optional().describe('Who is to be paid'),
})

const code = z.enum(FINDING_CODES)

/** The body of `POST /v1/decide`. */
export const judgementRequest = z.strictObject({
  method: method.optional().describe('Without one, the route of that address that fits the offer best'),
  url: z.string().describe('Full address of the route; may be concrete where the listed path is a template'),
  rail,
  offer: liveOffer.describe('What the live 402 answer asks for'),
  policy: z
    .strictObject({
      max_price: z.string().regex(DOLLARS).optional().describe('Nothing dearer is allowed; dollars, such as 0.05'),
      tolerance: z
        .number()
        .min(0)
        .max(10)
        .optional()
        .describe('How far above a known price is still that price: 0.05 is five hundredths'),
      stop: z
        .array(code)
        .max(FINDING_CODES.length)
        .optional()
        .describe('The codes that stop, in place of the usual ones'),
    })
    .optional()
    .describe('What is paid at most, and what stops a payment'),
})

export type JudgementRequest = z.input<typeof judgementRequest>

const finding = z.object({
  code: code.describe('What speaks against paying, or is good to know'),
  severity: z.enum(SEVERITIES).describe('stop: allow is false because of it'),
  said: z.string().describe('A fixed sentence with values'),
  href: href.describe('Where its evidence is'),
})

const { asked, host, evidence_label: evidenceLabel, unknown } = decision.shape
const known = { ...decision.omit({ asked: true, host: true, evidence_label: true, unknown: true }).partial().shape }

/** What is known of a route, held against what its seller asks for now. */
export const judgement = z.object({
  asked: asked
    .extend({ method: method.nullable().describe('HTTP method of the route; null: none was given') })
    .describe('What was asked about'),
  host,
  evidence_label: evidenceLabel,
  offer: z
    .object({
      price: price.nullable().describe('In dollars; null: not known'),
      network: network.nullable().describe('Where, as it was sent; null: not said'),
      asset: assetIfSaid,
      payee: payeeIfSaid,
    })
    .describe('What the seller asks for, as it was sent'),
  allow: z.boolean().describe('False exactly when a finding stops'),
  findings: z.array(finding).describe('What stops first, then warnings, then what is good to know'),
  ...known,
  unknown,
})

export type JudgementDocument = z.infer<typeof judgement>
