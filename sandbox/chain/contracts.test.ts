import { parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { compileContracts, SANDBOX, STAND_INS } from '../../scripts/compile-contracts.ts'
import * as standIns from '../../test/support/escrow/code.ts'
import * as kept from './contracts.ts'

/** The compiler is one large program that is made ready each time. */
const COMPILING = { timeout: 180_000 }

test('The contracts that are kept are those that the compiler makes of the sources.', COMPILING, () => {
  const all = compileContracts()
  const made = all.filter(({ folder }) => folder === SANDBOX)
  const expected = made.flatMap(({ name, abi, creation, runtime }): [string, unknown][] => [
    [`${name}Abi`, parseAbi(abi)],
    [`${name}Code`, { creation, runtime }],
  ])
  expect({ ...kept }).toEqual(Object.fromEntries(expected))
  expect(made.map(({ name }) => name)).toEqual(['dollar', 'wallet', 'factory', 'multicall', 'pathUsd'])
  const planted = all.filter(({ folder }) => folder === STAND_INS)
  expect({ ...standIns }).toEqual(
    Object.fromEntries(planted.map(({ name, creation, runtime }) => [`${name}Code`, { creation, runtime }])),
  )
})
