/** Real assets and networks, and invented wallets, for samples and tests. */
export const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const USDC_ON_BASE_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const USDC_ON_TEMPO = '0x20c000000000000000000000b9537d11c60e8b50'
export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const WALLET = '0x1111111111111111111111111111111111111111'
export const SOLANA_WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
