import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { compileContracts } from '../../scripts/compile-contracts.ts'
import * as kept from './contracts.ts'

test('The contracts that are kept are those that the compiler makes of the sources.', () => {
  const made = compileContracts()
  const expected = made.flatMap(({ name, abi, creation, runtime }): [string, unknown][] => [
    [`${name}Abi`, parseAbi(abi)],
    [`${name}Code`, { creation, runtime }],
  ])
  expect({ ...kept }).toEqual(Object.fromEntries(expected))
  expect(made.map(({ name }) => name)).toEqual(['dollar', 'wallet', 'factory', 'multicall', 'pathUsd'])
})
