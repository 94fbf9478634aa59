import { hash } from 'node:crypto'
import {
  type OfferCheck,
  type OfferKey,
  type PublicJwk,
  type SignedOffer,
  wasInForce,
} from '../../domain/offers/signed-offer.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { isSameAddress, walletKey, walletKind } from '../../domain/wallet.ts'
import { bytes58, text58 } from '../base58.ts'
import { recoverAddress } from '../eip191.ts'
import { keccak } from '../keccak.ts'
import { type Did, didPkhWallet, didWebPlace, keyInDid, readDid } from './did.ts'
import { offerSigner } from './eip712.ts'
import { isJwsOf, type Jws, readJws } from './jws.ts'

/** What an offer is held against. */
export interface OfferPlace {
  /** The address of the route that carried it. */
  readonly url: string
  /** When it was seen: which keys were the seller's then is what counts, whatever the offer says of itself. */
  readonly seenUs: TimestampUs
  /** Of the seller's own DID documents. */
  readonly keys: readonly OfferKey[]
}

const unknown = (reason: string): OfferCheck => ({ by: null, reason })

/** Who stands behind an offer. Asks nobody: whatever is needed comes along. */
export function checkOffer(offer: SignedOffer, { url, seenUs, keys }: OfferPlace): OfferCheck {
  if (!isSamePlace(offer.terms.resourceUrl, url)) return unknown('it is for another address')
  if (offer.format === 'eip712') {
    const signer = offerSigner(offer.terms, offer.signature)
    if (signer === undefined) return unknown('its signature is not valid')
    return ofWallet(offer, signer)
  }
  const jws = readJws(offer.signature)
  const did = jws && readDid(jws.kid)
  if (!jws || !did) return unknown('its signature is not valid')
  switch (did.method) {
    case 'key':
    case 'jwk':
    case 'pkh':
      return ofOwnKey(offer, jws, did)
    case 'web':
      return ofHost(jws, did, new URL(url).host, seenUs, keys)
    default:
      return unknown('its key is named in a way that is not known here')
  }
}

const ofWallet = ({ terms }: SignedOffer, signer: string): OfferCheck =>
  isSameAddress(signer, terms.payTo)
    ? { by: 'payee', wallet: terms.payTo }
    : unknown('whoever signed it is not the payee that it names')

/** A key that its own name holds says nothing about a seller but by the wallet that it is. */
function ofOwnKey(offer: SignedOffer, jws: Jws, did: Did): OfferCheck {
  const named = didPkhWallet(did)
  if (named !== undefined)
    return isJwsOfWallet(jws, named) ? ofWallet(offer, named) : unknown('its signature is not valid')
  const jwk = keyInDid(did)
  if (jwk === undefined || !isJwsOf(jws, jwk)) return unknown('its signature is not valid')
  const wallet = walletOf(jwk)
  return wallet === undefined ? unknown('its key is no wallet, and nobody says whose it is') : ofWallet(offer, wallet)
}

/** A Solana wallet is its key; of an EVM one the key is found in the signature, which fits two. */
function isJwsOfWallet(jws: Jws, wallet: string): boolean {
  const kind = walletKind(wallet)
  if (kind === 'solana') {
    const key = bytes58(wallet)
    return key !== undefined && isJwsOf(jws, { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') })
  }
  if (kind !== 'evm' || jws.alg !== 'ES256K') return false
  const digest = hash('sha256', jws.signed, 'buffer')
  return [0, 1].some((parity) => recoverAddress(digest, jws.signature, parity) === walletKey(wallet))
}

function ofHost(jws: Jws, did: Did, host: string, seenUs: TimestampUs, keys: readonly OfferKey[]): OfferCheck {
  const place = didWebPlace(did)
  if (place === undefined) return unknown('its key is named in a way that is not known here')
  if (place.host !== host) return unknown('its key is that of another host')
  const named = keys.filter(({ kid }) => kid === jws.kid || (jws.kid === did.did && kid.startsWith(`${did.did}#`)))
  if (named.length === 0) return unknown('its key is not in the DID document of the host, or that could not be read')
  const signers = named.filter(({ jwk }) => isJwsOf(jws, jwk))
  if (signers.length === 0) return unknown('its signature is not valid')
  const then = signers.find((key) => wasInForce(key, seenUs))
  return then === undefined
    ? unknown('its key was not in the DID document of the host when the offer was seen')
    : { by: 'host', kid: then.kid, jwk: then.jwk, sinceUs: then.firstUs }
}

/** The wallet that a key is, as `walletKey` writes it. */
function walletOf({ crv, x, y = '' }: PublicJwk): string | undefined {
  const [first, second] = [x, y].map((part) => Buffer.from(part, 'base64url'))
  if (first === undefined || second === undefined) return undefined
  if (crv === 'Ed25519') return text58(first)
  if (crv !== 'secp256k1') return undefined
  return `0x${Buffer.from(keccak(Buffer.concat([first, second])).subarray(-20)).toString('hex')}`
}

/**
 * Whether both lead to one route: host and path. The kit signs what the challenge calls its resource, which behind a proxy
 * often has the other scheme, and sellers leave queries out.
 */
function isSamePlace(named: string, called: string): boolean {
  if (!URL.canParse(named) || !URL.canParse(called)) return false
  const placeOf = ({ host, pathname }: URL): string => host + pathname
  return placeOf(new URL(named)) === placeOf(new URL(called))
}
