const EVM = /^0x[0-9a-fA-F]{40}$/
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export type WalletKind = 'evm' | 'solana'

/** What kind of wallet a text can be; `undefined` when it is none. The checksum of an EVM address is not looked at. */
export function walletKind(text: string): WalletKind | undefined {
  if (EVM.test(text)) return 'evm'
  return SOLANA.test(text) ? 'solana' : undefined
}

/** The form in which two writings of one wallet are equal: EVM addresses differ in case alone, Solana ones do not. */
export const walletKey = (wallet: string): string => (EVM.test(wallet) ? wallet.toLowerCase() : wallet)

/** Whether two writings of a wallet, or of an asset, are one. */
export const isSameAddress = (one: string, other: string): boolean => walletKey(one) === walletKey(other)
