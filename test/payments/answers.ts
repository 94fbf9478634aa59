import type { Hex } from 'viem'
import { z } from 'zod'

const isHex = (value: unknown): value is Hex => typeof value === 'string' && value.startsWith('0x')

const post = z.looseObject({ id: z.string(), text: z.string(), href: z.string() })

/** Any JSON of the directory, as far as these tests look into it; what a document does not have is empty. */
const anyDocument = z.looseObject({
  id: z.string().default(''),
  text: z.string().default(''),
  href: z.string().default(''),
  message: z.string().default(''),
  signature: z.custom<Hex>(isHex).default('0x'),
  payment: z.looseObject({ transaction: z.string() }).default({ transaction: '' }),
  charged: z.union([z.boolean(), z.literal('pending')]).optional(),
  detail: z.string().default(''),
  posts: z.array(post).default([]),
  thread: z.looseObject({ price: z.string().default(''), rails: z.array(z.unknown()).default([]) }).optional(),
})

export const documentOf = async (answer: Response): Promise<z.infer<typeof anyDocument>> =>
  anyDocument.parse(await answer.json())
