import { describe, expect, it } from 'vitest'
import { reviewPage } from './html/pages/review.tsx'
import { reviewJson } from './json/review.ts'
import { reviewsBlocks } from './markdown/review.ts'
import { NOON_US, review, SITE } from './testing/sample-views.ts'

const FOUND = {
  ...{ asset: '0xdollar', amount: '150000', payer: '0xpayer', payee: '0xpayee', logIndex: 2, atUs: NOON_US },
  ...{ isFinal: true, otherHosts: 0, hasReceipt: false },
}
const CHANNEL = { id: '0xchannel', transaction: '0xclaim', refunded: '350000', isOpen: false }
const payment = { network: 'base', transaction: '0xchannel' }

describe('what is known of a payment', () => {
  it('names the channel, what moved the money and what came back, in all three forms', () => {
    const one = review({ payment, paymentFound: { ...FOUND, channel: CHANNEL } })
    const lines = [
      "Paid out of the buyer's deposit in channel 0xchannel by transaction 0xclaim.",
      '350000 base units of the deposit went back to the buyer.',
    ]
    const markdown = reviewsBlocks(SITE, [one], '####', 500).join('\n')
    const page = { host: 'api.example', review: { ...one, receipt: null }, events: [], textSha256: '', message: '' }
    const html = reviewPage(SITE, page, NOON_US).replaceAll('&#39;', "'").replaceAll('&#x27;', "'")
    for (const line of lines) for (const form of [markdown, html]) expect(form).toContain(line)
    expect(reviewJson(SITE, one).payment_found).toMatchObject({
      channel: { id: '0xchannel', transaction: '0xclaim', refunded: '350000', is_open: false },
    })
  })

  it('says nothing of a refund that has not come, and of how many transfers a payment is the sum', () => {
    const open = review({ payment, paymentFound: { ...FOUND, channel: { ...CHANNEL, refunded: null } } })
    expect(reviewsBlocks(SITE, [open], '####', 500).join('\n')).not.toContain('went back')
    const shared = review({ payment, paymentFound: { ...FOUND, parts: [4, 6] } })
    expect(reviewsBlocks(SITE, [shared], '####', 500).join('\n')).toContain('the sum of 3 transfers')
    expect(reviewJson(SITE, shared).payment_found).toMatchObject({ parts: [4, 6] })
    expect(reviewJson(SITE, open).payment_found).not.toHaveProperty('parts')
  })
})
