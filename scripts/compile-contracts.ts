import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'
import { z } from 'zod'

/**
 * The contracts of the local chain, compiled. What is kept in `contracts.ts` and `contract-code.ts` of `sandbox/chain` is
 * this, in this order, and in `code.ts` of `test/support/escrow` what only tests plant.
 */
export interface Compiled {
  readonly name: string
  readonly folder: string
  /** In the form that viem's `parseAbi` reads, sorted. */
  readonly abi: readonly string[]
  readonly creation: string
  readonly runtime: string
}

export const SANDBOX = 'sandbox/chain'
export const STAND_INS = 'test/support/escrow'
const CONTRACTS = [
  { folder: SANDBOX, file: 'dollar.sol', contract: 'Dollar', name: 'dollar' },
  { folder: SANDBOX, file: 'wallets.sol', contract: 'Wallet', name: 'wallet' },
  { folder: SANDBOX, file: 'wallets.sol', contract: 'WalletFactory', name: 'factory' },
  { folder: SANDBOX, file: 'multicall.sol', contract: 'Multicall', name: 'multicall' },
  { folder: SANDBOX, file: 'tip20.sol', contract: 'PathUsd', name: 'pathUsd' },
  { folder: STAND_INS, file: 'batch-settlement.sol', contract: 'BatchSettlement', name: 'batchSettlement' },
  { folder: STAND_INS, file: 'batch-settlement.sol', contract: 'Collector', name: 'collector' },
  { folder: STAND_INS, file: 'tempo-channels.sol', contract: 'TempoChannels', name: 'tempoChannels' },
  { folder: STAND_INS, file: 'permit2.sol', contract: 'Permit2', name: 'permit2' },
  { folder: STAND_INS, file: 'permit2.sol', contract: 'UptoProxy', name: 'uptoProxy' },
] as const
/** What others import. */
const SHARED = [`${STAND_INS}/signed.sol`]

const field = z.object({ name: z.string(), type: z.string(), indexed: z.boolean().default(false) })
const parameter = field.extend({ components: z.array(field).default([]) })
const entry = z.object({
  type: z.enum(['function', 'event', 'constructor', 'receive', 'error']),
  name: z.string().default(''),
  inputs: z.array(parameter).default([]),
  outputs: z.array(parameter).default([]),
  stateMutability: z.string().default(''),
})
const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        abi: z.array(entry),
        evm: z.object({
          bytecode: z.object({ object: z.string() }),
          deployedBytecode: z.object({ object: z.string() }),
        }),
      }),
    ),
  ),
})

function written(item: z.infer<typeof entry>): string {
  const plain = ({ type, indexed, name }: z.infer<typeof field>): string =>
    [type, indexed ? 'indexed' : '', name].filter(Boolean).join(' ')
  const list = (of: readonly z.infer<typeof parameter>[]): string => {
    const each = of.map((one) => {
      const type = one.type.replace('tuple', `(${one.components.map(plain).join(', ')})`)
      return plain({ ...one, type })
    })
    return `(${each.join(', ')})`
  }
  const changes = item.stateMutability === 'nonpayable' ? '' : ` ${item.stateMutability}`
  switch (item.type) {
    case 'function':
      return `function ${item.name}${list(item.inputs)} external${changes}${item.outputs.length > 0 ? ` returns ${list(item.outputs)}` : ''}`
    case 'receive':
      return 'receive() external payable'
    case 'constructor':
      return `constructor${list(item.inputs)}${changes}`
    default:
      return `${item.type} ${item.name}${list(item.inputs)}`
  }
}

/** Run from the root of the repository. */
export function compileContracts(): Compiled[] {
  const files = [...new Set([...CONTRACTS.map(({ folder, file }) => `${folder}/${file}`), ...SHARED])]
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(file, 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // Without a hash of the sources a comment can change and the code stays the same.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const compiled = output.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const faults = compiled.errors.filter(({ severity }) => severity === 'error')
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return CONTRACTS.map(({ folder, file, contract, name }) => {
    const found = compiled.contracts[`${folder}/${file}`]?.[contract]
    if (found === undefined) throw new Error(`${file} has no contract ${contract}`)
    return {
      name,
      folder,
      abi: found.abi.map(written).sort(),
      creation: `0x${found.evm.bytecode.object}`,
      runtime: `0x${found.evm.deployedBytecode.object}`,
    }
  })
}

const MADE = '// Made by scripts/compile-contracts.ts from the .sol files beside this one.'

/** Code stands by itself, for chains that carry it and read no ABI. */
const codeModuleOf = (contracts: readonly Compiled[]): string =>
  [
    MADE,
    ...contracts.map(
      ({ name, creation, runtime }) => `export const ${name}Code = ${JSON.stringify({ creation, runtime })} as const`,
    ),
    '',
  ].join('\n\n')

const moduleOf = (contracts: readonly Compiled[]): string =>
  [
    "import { parseAbi } from 'viem'",
    MADE,
    "export * from './contract-code.ts'",
    ...contracts.map(({ name, abi }) => `export const ${name}Abi = parseAbi(${JSON.stringify(abi)})`),
    '',
  ].join('\n\n')

// Writes the modules; `npx biome format --write` gives them their form.
if (process.argv[1]?.endsWith('compile-contracts.js')) {
  const contracts = compileContracts()
  const own = contracts.filter(({ folder }) => folder === SANDBOX)
  writeFileSync(`${SANDBOX}/contract-code.ts`, codeModuleOf(own))
  writeFileSync(`${SANDBOX}/contracts.ts`, moduleOf(own))
  writeFileSync(`${STAND_INS}/code.ts`, codeModuleOf(contracts.filter(({ folder }) => folder === STAND_INS)))
}
