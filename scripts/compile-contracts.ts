import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'
import { z } from 'zod'

/** The contracts of the local chain, compiled. What is kept in `contracts.ts` and `contract-code.ts` of `sandbox/chain` is this, in this order. */
export interface Compiled {
  readonly name: string
  /** In the form that viem's `parseAbi` reads, sorted. */
  readonly abi: readonly string[]
  readonly creation: string
  readonly runtime: string
}

const FOLDER = 'sandbox/chain'
const CONTRACTS = [
  { file: 'dollar.sol', contract: 'Dollar', name: 'dollar' },
  { file: 'wallets.sol', contract: 'Wallet', name: 'wallet' },
  { file: 'wallets.sol', contract: 'WalletFactory', name: 'factory' },
  { file: 'multicall.sol', contract: 'Multicall', name: 'multicall' },
  { file: 'tip20.sol', contract: 'PathUsd', name: 'pathUsd' },
] as const

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
  const files = [...new Set(CONTRACTS.map(({ file }) => file))]
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(`${FOLDER}/${file}`, 'utf8') }])),
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
  return CONTRACTS.map(({ file, contract, name }) => {
    const found = compiled.contracts[file]?.[contract]
    if (found === undefined) throw new Error(`${file} has no contract ${contract}`)
    return {
      name,
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
  writeFileSync(`${FOLDER}/contract-code.ts`, codeModuleOf(contracts))
  writeFileSync(`${FOLDER}/contracts.ts`, moduleOf(contracts))
}
