import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { walletKey } from '../domain/wallet.ts'
import { parseWallet } from './wallet.ts'

const EIP55 = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

describe('a wallet', () => {
  it('has one printed form, whatever case it was written in', () => {
    expect(parseWallet(EIP55)).toBe(EIP55)
    expect(parseWallet(EIP55.toLowerCase())).toBe(EIP55)
    expect(parseWallet(`0x${EIP55.slice(2).toUpperCase()}`)).toBe(EIP55)
    expect(parseWallet(SOLANA)).toBe(SOLANA)
  })

  it('is printed as others print it', () => {
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    fc.assert(
      fc.property(address, (text) => {
        expect(parseWallet(text)).toBe(getAddress(text))
      }),
    )
  })

  it('is refused when its checksum is wrong or it is no wallet', () => {
    for (const text of ['', '0x', EIP55.replace('aA', 'Aa'), `${EIP55}0`, SOLANA.slice(0, 31), 'api.example.com'])
      expect(parseWallet(text)).toBeUndefined()
  })

  it('is compared without case only where case means nothing', () => {
    expect(walletKey(EIP55)).toBe(EIP55.toLowerCase())
    expect(walletKey(SOLANA)).toBe(SOLANA)
  })
})
