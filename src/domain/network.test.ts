import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isListedNetwork, isNetwork, isTestNetwork, nameBeside, networkKey, networkName } from './network.ts'

/** Any code point, halves of surrogate pairs too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })

describe('networkKey', () => {
  it.each([
    ['base', 'eip155:8453'],
    ['Base', 'eip155:8453'],
    ['eip155:8453', 'eip155:8453'],
    ['base-sepolia', 'eip155:84532'],
    ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['tempo', 'tempo:4217'],
    ['tempo:4217', 'tempo:4217'],
    ['eip155:4217', 'tempo:4217'],
    ['eip155:42431', 'tempo:42431'],
    ['eip155:42170', 'eip155:42170'],
    ['some-other', 'some-other'],
  ])('compares %s as %s', (written, key) => expect(networkKey(written)).toBe(key))

  it('is its own key: nothing changes a second time', () => {
    const named = fc.constantFrom('base', 'BASE', 'solana', 'tempo', 'eip155:4217', 'polygon', 'sei', 'avalanche-fuji')
    fc.assert(
      fc.property(fc.oneof(named, fc.string()), (written) => {
        expect(networkKey(networkKey(written))).toBe(networkKey(written))
      }),
    )
  })

  it('keeps the case of a chain reference, where it means something', () => {
    expect(networkKey('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')).not.toBe(
      networkKey('solana:etwtrabzayq6imfeykouru166vu2xqa1'),
    )
  })

  it('is a text for the names that every object has', () => {
    for (const name of ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']) {
      expect(networkKey(name)).toBe(name)
    }
  })
})

/** Every way in which sources have written these networks. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'eip155:8453': [
    'base',
    'Base',
    'BASE',
    'base-mainnet',
    'base_mainnet',
    'Base Mainnet',
    'baseMainnet',
    '8453',
    '0x2105',
    'eip155-8453',
    'Base Network',
    'base chain',
    'Base L2',
    'Base (8453)',
    'Base Mainnet (eip155:8453)',
    'eip155_8453',
    'EIP155:8453',
  ],
  'eip155:84532': [
    'base-sepolia',
    'Base Sepolia',
    'base_sepolia',
    'baseSepolia',
    'BASE-SEPOLIA',
    'base-testnet',
    'Base Sepolia L2',
    '84532',
  ],
  'eip155:1': ['ethereum', 'Ethereum', 'eth', 'ethereum-mainnet', 'eth-mainnet', '1'],
  'eip155:324': ['zksync', 'zkSync Era L2'],
  'eip155:59144': ['linea', 'Linea L2'],
  'eip155:10': ['optimism', 'Optimism L2', 'op', 'op-mainnet', 'optimism-mainnet', '10'],
  'eip155:56': ['bsc', 'bnb', 'BNB Chain', 'bsc-mainnet', 'binance-smart-chain', '56'],
  'eip155:97': ['bsc-testnet', 'BNB Testnet', '97'],
  'eip155:137': ['polygon', 'Polygon', 'matic', 'polygon-mainnet', 'polygon-pos', '137'],
  'eip155:80002': ['polygon-amoy', 'polygonAmoy', 'amoy', '80002'],
  'eip155:42161': ['arbitrum', 'arbitrum-one', 'Arbitrum One', 'Arbitrum One L2', 'arbitrum-mainnet', '42161'],
  'eip155:43114': ['avalanche', 'avax', 'avalanche-c-chain', 'avalanche-mainnet', '43114'],
  'eip155:43113': ['avalanche-fuji', 'avalancheFuji', 'fuji', '43113'],
  'eip155:11155111': ['sepolia', 'ethereum-sepolia', 'Ethereum Sepolia', '11155111'],
  'eip155:324705682': ['skale-base-sepolia', '324705682'],
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [
    'solana',
    'Solana',
    'SOL',
    'solana-mainnet',
    'solana:mainnet',
    'solana-mainnet-beta',
  ],
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': ['solana-devnet', 'solana:devnet', 'Solana Devnet'],
  'tempo:4217': ['tempo', 'Tempo', 'tempo-mainnet', 'eip155:4217', '4217'],
  'tempo:42431': ['tempo-testnet', 'tempo-moderato', 'eip155:42431'],
  'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k': [
    'algorand',
    'algorand-mainnet',
    'algorand:mainnet',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
  ],
  'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe': [
    'algorand-testnet',
    'algorand:testnet',
    'Algorand Testnet',
    'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
  ],
  'eip155:1329': ['sei', 'sei-mainnet', 'sei-evm', '1329'],
  'eip155:4326': ['megaeth', 'MegaETH', 'megaeth-mainnet'],
  'eip155:11142220': ['celo-sepolia', 'Celo Sepolia'],
  'eip155:51': ['xdc-testnet', 'XDC Apothem', 'apothem'],
  'aptos:1': ['aptos', 'aptos-mainnet', 'aptos:mainnet'],
  'aptos:2': ['aptos-testnet', 'aptos:testnet'],
  'sui:mainnet': ['sui', 'Sui Mainnet', 'sui:35834a8a'],
  'near:mainnet': ['near', 'NEAR', 'near-mainnet', 'NEAR Protocol'],
  'hedera:mainnet': ['hedera', 'hedera-mainnet'],
  'tron:728126428': ['tron', 'tron-mainnet', 'tron:mainnet', 'tron:0x2b6653dc'],
  'tvm:-239': ['ton', 'TON', 'ton-mainnet', 'ton:mainnet'],
  'tvm:-3': ['ton-testnet', 'ton:testnet'],
  'xrpl:0': ['xrpl', 'xrpl-mainnet', 'xrpl:mainnet', 'XRP Ledger'],
  'keeta:21378': ['keeta', 'keeta:main', 'keeta-mainnet'],
  'cardano:mainnet': ['cardano', 'cip34:1-764824073'],
}

describe('a network that is known', () => {
  it('is not meant by what is built on it', () => {
    for (const written of ['Ethereum L2', 'ETH L2', 'eth-l2', 'ethereum_l2', 'BNB L2', 'Solana L2', 'Polygon L2']) {
      expect([written, networkKey(written), networkName(written)]).toEqual([written, written, null])
      expect([written, isListedNetwork(written)]).toEqual([written, true])
    }
  })

  it.each(Object.entries(SPELLINGS))('is %s in every writing', (id, spellings) => {
    for (const written of [id, ...spellings]) {
      expect([written, networkKey(written)]).toEqual([written, id])
      expect([written, networkName(written)]).toEqual([written, networkName(id)])
      expect([written, isListedNetwork(written)]).toEqual([written, true])
    }
  })

  it('has one name, which leads back to it', () => {
    for (const id of Object.keys(SPELLINGS)) expect(networkKey(networkName(id) ?? '')).toBe(id)
    expect(networkName('eip155:84532')).toBe('Base Sepolia')
    expect(networkName('eip155:999999')).toBeNull()
    expect(networkName('constructor')).toBeNull()
  })

  it('is never taken for its neighbour', () => {
    const ids = Object.keys(SPELLINGS)
    expect(new Set(ids.map(networkName)).size).toBe(ids.length)
    for (const other of [
      'base-goerli',
      'mainnet',
      'testnet',
      'basement',
      '84533',
      'eip155:84531',
      'aws:base',
      'base2',
      'chain',
      'basechainz',
      'Base (1)',
    ]) {
      expect([other, networkKey(other)]).toEqual([other, other])
      expect([other, networkName(other)]).toEqual([other, null])
    }
  })
})

describe('beside a network', () => {
  it('that is written as an id or a number stands its name, and beside a name nothing', () => {
    expect(['eip155:84532', 'EIP155:8453', '8453', 'solana:devnet', 'tempo:4217'].map(nameBeside)).toEqual([
      'Base Sepolia',
      'Base',
      'Base',
      'Solana Devnet',
      'Tempo',
    ])
    expect(['base', 'Base Sepolia', 'base-mainnet', 'eip155:999999', 'nowhere:main'].map(nameBeside)).toEqual(
      Array(5).fill(null),
    )
  })
})

describe('isTestNetwork', () => {
  it('knows test networks by every writing, and others by what they call themselves', () => {
    for (const test of [
      'base-sepolia',
      'Base Sepolia',
      'eip155:84532',
      '84532',
      'solana-devnet',
      'polygon-amoy',
      'tempo:42431',
      'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
      // None of these says so of itself.
      ...['aptos:2', 'xrpl:1', 'tvm:-3', 'eip155:51', 'keeta:1413829460', 'cardano:preprod', 'tron:0xcd8690dc'],
      ...['eip155:11142220', 'eip155:5042002', 'eip155:713715'],
    ])
      expect([test, isTestNetwork(test)]).toEqual([test, true])
    for (const unknown of ['nowhere:test', 'somechain-testnet', 'somechain-sepolia', 'nowhere:testnet'])
      expect([unknown, isTestNetwork(unknown)]).toEqual([unknown, true])
  })

  it('takes every other network for one with real money', () => {
    for (const real of [
      'base',
      'Base Mainnet',
      'eip155:8453',
      'solana',
      'tempo',
      'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
      'eip155:999999',
      ...['aptos:1', 'xrpl:0', 'tvm:-239', 'eip155:50', 'keeta:main', 'cardano:mainnet', 'sui', 'near:mainnet'],
      'nowhere:main',
      'greatest',
      'contest',
    ])
      expect([real, isTestNetwork(real)]).toEqual([real, false])
  })
})

describe('isListedNetwork', () => {
  it('takes a known name with spaces, and no other text that isNetwork refuses', () => {
    expect(['Base Sepolia', 'BNB Smart Chain', 'Arbitrum One'].map(isListedNetwork)).toEqual([true, true, true])
    for (const text of [
      'no data',
      ' Base',
      'Base  Sepolia',
      'Base\nSepolia',
      'Base, Solana',
      'My Chain',
      'Base Sepolia;',
      'Base (1)',
      'Base (8453), x',
      'My Chain (8453)',
      '',
    ])
      expect([text, isListedNetwork(text)]).toEqual([text, false])
  })
})

describe('isNetwork', () => {
  it.each([
    'base',
    'solana',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'eip155:8453',
    'tempo:4217',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
    'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
    'a',
    'x'.repeat(100),
  ])('takes %s', (name) => expect(isNetwork(name)).toBe(true))

  it.each([
    '',
    ' base',
    'base ',
    'base,solana',
    'no data',
    ':1',
    '-a',
    'basé',
    'base\n',
    'x'.repeat(101),
    '__proto__',
    'base/x',
    'a=b',
    'https://rpc.example/',
    `https:${'/'.repeat(44)}`,
    'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=\n',
    'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=,x',
  ])('refuses %j', (name) => expect(isNetwork(name)).toBe(false))

  it('never lets through what would break the printed line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (isNetwork(text)) expect(text).not.toMatch(/[\s,;]/)
      }),
    )
  })
})
