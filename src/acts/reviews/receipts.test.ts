import { createReceiptEIP712 } from '@x402/extensions/offer-receipt'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { found, HOST, openReviewing, someone } from '../../../test/support/reviewing.ts'
import { aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'

onEachEngine('the receipt of a seller', (engine) => {
  it('stands beside a public payment, and makes nobody a verified buyer without one', async () => {
    const store = await engine.open()
    const { submit, signedBy, proofs, clock } = await openReviewing(store)
    const [seller, buyer] = [someone(), someone()]
    const seen = { network: 'base', asset: null, origin: 'challenge', firstUs: NOON_US, lastUs: NOON_US } as const
    await saveEvidence(store, evidence({ payees: [{ ...aRoute(), ...seen, payee: seller.address }] }))
    // The kit dates receipts by the clock of this machine.
    clock.us = Date.now() * 1000
    const receiptFor = (transaction: string) =>
      createReceiptEIP712(
        { resourceUrl: `https://${HOST}/v1/weather`, payer: buyer.address, network: 'eip155:8453', transaction },
        (data) => seller.signTypedData(data),
      )
    const paid = found('0xpaid', buyer.address)
    if (paid.kind !== 'found') throw new Error('not found')
    const [transfer] = paid.transfers
    proofs.tell('0xpaid', { ...paid, transfers: [{ ...transfer, atUs: clock.us - 1_000_000 }] })
    const named = (transaction: string) => ({ payment: { network: 'base', transaction } })

    const alone = await submit({ ...(await signedBy(buyer, named('0xnone'))), receipt: await receiptFor('0xnone') })
    expect(alone.review).toMatchObject({ level: 'Signed', paymentFound: null })
    clock.us += 1_000_000
    const both = await submit({ ...(await signedBy(buyer, named('0xpaid'))), receipt: await receiptFor('0xpaid') })
    expect(both.review).toMatchObject({ level: 'Verified buyer', paymentFound: { hasReceipt: true } })
    const unpaid = { ...(await signedBy(buyer)), receipt: await receiptFor('0xpaid') }
    await expect(submit(unpaid)).rejects.toMatchObject({ status: 400, more: { field: 'receipt' } })
  })
})
