import type { ClaimDocument, StatementPageDocument, StatementsDocument } from '../../wire/api/seller.ts'
import { flag, listOf, maybe, members, number, object, outline, text } from './outline.ts'

const signed = { wallet: text, signature: text, signed_at: text, directory: maybe(text) }

export const claim = outline<ClaimDocument>({
  ...{ ...signed, host: text, claimed_at: text, message: text, holds: flag },
  proofs: listOf(members({ proof: text, line: text, since: text, seen: text, until: maybe(text) })),
})

export const statementPage = outline<StatementPageDocument>({
  ...{ ...signed, id: text, host: text, kind: text, untrusted: flag, about: text, text, submitted_at: text },
  ...{ hidden: maybe(object), href: text, text_sha256: text, message: text, verify: text, host_href: text },
})

export const statements = outline<StatementsDocument>({
  ...{
    host: text,
    total: number,
    claims: listOf(object),
    statements: listOf(object),
    next: maybe(text),
  },
})
