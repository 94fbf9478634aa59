/** What does not conform in a live 402 answer: a closed vocabulary, with an explanation for people. */
export const WARNING_MEANINGS = {
  malformed: 'A part of the challenge could not be read; the rest was.',
  too_large: 'Only a part of the challenge was read: it is larger than 64 KiB or has more than 50 offers.',
  no_offers: 'The answer names no way to pay on x402 or mpp.',
  missing_field: 'An offer lacks a field that it must have.',
  decimal_amount: 'An amount has a decimal point; amounts are whole base units.',
  number_amount: 'An amount is a JSON number; amounts are strings of digits.',
  unknown_asset: 'An offer asks for an asset whose dollar value is not known here.',
  unknown_scheme:
    'An x402 offer has a scheme that the kits of x402 do not pay; it has no price where another offer on its network is paid.',
  bad_payee: 'A payee is not an address of the offer’s network.',
  unknown_method: 'An mpp challenge asks for a payment method that is not read here.',
  unknown_intent:
    'An mpp challenge asks for something other than a charge or a session, such as a subscription: what it comes to is not known.',
  version_missing: 'The x402 version is missing or not a number.',
  version_unknown: 'The x402 version is neither 1 nor 2.',
  field_of_other_version: 'An amount stands in the field of another x402 version.',
  network_of_other_version: 'A network is named in the form of another x402 version.',
  network_spelling: 'A network is not spelled as its x402 version has it; clients compare it letter by letter.',
  version_1_in_header: 'A version 1 challenge stands in the header of version 2.',
  version_2_in_body:
    'A version 2 challenge stands in the body only; clients look for it in the PAYMENT-REQUIRED header.',
  other_header: 'The challenge stands in a header other than PAYMENT-REQUIRED.',
  header_twice:
    'The PAYMENT-REQUIRED header came more than once; clients read its lines as one, which is no challenge.',
  other_encoding: 'A challenge or request is not encoded as its specification says.',
  resource_differs: 'The challenge is for another address than the one that was called.',
  versions_differ:
    'The PAYMENT-REQUIRED header and the body ask for different prices: clients of version 2 pay what the header says, those of version 1 what the body says.',
  expired: 'A challenge had already expired when it arrived.',
  no_no_store: 'An mpp challenge came without Cache-Control: no-store.',
} as const

export type ChallengeWarning = keyof typeof WARNING_MEANINGS

/** Collects each warning once, in the order of first sight. */
export type Warn = (warning: ChallengeWarning) => void
