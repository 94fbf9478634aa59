import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createOfferJWS, type JWSSigner } from '@x402/extensions/offer-receipt'

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const PAYEE = '0x1111111111111111111111111111111111111111'

export interface SellerKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export const newKeys = (): SellerKeys => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const signerOf = (kid: string, key: KeyObject): JWSSigner => ({
  ...{ kid, algorithm: 'ES256', format: 'jws' },
  sign: async (payload: Uint8Array) =>
    sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
})

/** What a seller of the stock kit signs for one way to pay, in base units of the dollar. */
export const signedOffer = (url: string, kid: string, { privateKey }: SellerKeys, amount: string, seconds = 300) =>
  createOfferJWS(
    url,
    {
      ...{ acceptIndex: 0, scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: PAYEE },
      ...{ amount, offerValiditySeconds: seconds },
    },
    signerOf(kid, privateKey),
  )

/** The DID document of a host with these keys, named `key-1` and so on. */
export const didDocument = (did: string, ...keys: readonly SellerKeys[]) => ({
  id: did,
  verificationMethod: keys.map(({ publicKey }, index) => ({
    ...{ id: `${did}#key-${index + 1}`, type: 'JsonWebKey2020', controller: did },
    publicKeyJwk: publicKey.export({ format: 'jwk' }),
  })),
})

/** The header of a 402 that asks for `amount` and carries these offers. */
export const demandHeader = (url: string, amount: string, offers: readonly unknown[]): string =>
  Buffer.from(
    JSON.stringify({
      x402Version: 2,
      resource: { url },
      accepts: [{ scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: PAYEE, amount, maxTimeoutSeconds: 60 }],
      extensions: { 'offer-receipt': { info: { offers } } },
    }),
  ).toString('base64')
