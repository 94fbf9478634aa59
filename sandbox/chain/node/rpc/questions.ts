import { bytesToBigInt, bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { z } from 'zod'
import { addressOf, addressText, hexText, quantity, toQuantity, toWord } from '../hex.ts'
import type { Block } from '../history/blocks.ts'
import { BASE_FEE, PRIORITY_FEE } from '../rules.ts'
import { accountOf } from '../state/machine.ts'
import { blockTag, findBlock } from './block-tag.ts'
import { answerCall, callRequest, estimateGas } from './calls.ts'
import { findLogs, logFilter } from './log-filter.ts'
import { type Methods, method } from './method.ts'
import type { Reader } from './reader.ts'
import { blockJson, receiptJson, transactionJson, waitingJson } from './rpc-json.ts'

const tag = blockTag.optional()
const isFull = z.boolean().default(false)
const NONE = z.tuple([])
const lower = (hash: Hex): Hex => `0x${hash.slice(2).toLowerCase()}`

/** What clients of any Ethereum node ask, and how they send. */
export function questions(reader: Reader): Methods {
  const { chain } = reader
  const { blocks, pool } = chain.history
  const told = (block: Block | undefined, full: boolean) => (block === undefined ? null : blockJson(block, full))
  const receipt = (hash: Hex) => {
    const place = blocks.placeOf(lower(hash))
    return place === undefined ? null : receiptJson(place)
  }
  const transaction = (hash: Hex) => {
    const place = blocks.placeOf(lower(hash))
    if (place !== undefined) return transactionJson(place)
    const held = pool.get(lower(hash))
    return held === undefined ? null : waitingJson(held.json)
  }
  return {
    web3_clientVersion: () => 'tollbook-chain/1',
    net_version: () => String(chain.options.chainId),
    eth_chainId: () => toQuantity(chain.options.chainId),
    eth_blockNumber: () => toQuantity(blocks.head.number),
    eth_gasPrice: () => toQuantity(BASE_FEE + PRIORITY_FEE),
    eth_maxPriorityFeePerGas: () => toQuantity(PRIORITY_FEE),
    eth_getBlockByNumber: method(z.tuple([blockTag, isFull]), (which, full) => told(findBlock(blocks, which), full)),
    eth_getBlockByHash: method(z.tuple([hexText, isFull]), (hash, full) => told(blocks.withHash(hash), full)),
    eth_getTransactionByHash: method(z.tuple([hexText]), transaction),
    eth_getTransactionReceipt: method(z.tuple([hexText]), receipt),
    eth_getLogs: method(z.tuple([logFilter]), (filter) => findLogs(blocks, filter)),
    eth_getBalance: method(z.tuple([addressText, tag]), (who, at) =>
      reader.at(at, async (machine) => toQuantity((await accountOf(machine, who)).balance)),
    ),
    eth_getTransactionCount: method(z.tuple([addressText, tag]), (who, at) =>
      reader.at(at, async (machine) => {
        const { nonce } = await accountOf(machine, who)
        return toQuantity(at === 'pending' ? pool.freeNonce(who.toLowerCase(), nonce) : nonce)
      }),
    ),
    eth_getCode: method(z.tuple([addressText, tag]), (who, at) =>
      reader.at(at, async ({ stateManager }) => bytesToHex(await stateManager.getCode(addressOf(who)))),
    ),
    eth_getStorageAt: method(z.tuple([addressText, quantity, tag]), (who, slot, at) =>
      reader.at(at, async ({ stateManager }) => {
        const value = await stateManager.getStorage(addressOf(who), hexToBytes(toWord(slot)))
        return toWord(bytesToBigInt(value))
      }),
    ),
    eth_call: method(z.tuple([callRequest, tag]), (request, at) => answerCall(reader, request, at)),
    eth_estimateGas: method(z.tuple([callRequest, tag]), async (request, at) =>
      toQuantity(await estimateGas(reader, request, at)),
    ),
    eth_sendRawTransaction: method(z.tuple([hexText]), (raw) => chain.send(raw)),
    // A timeout may come along; there is nothing to wait for.
    eth_sendRawTransactionSync: method(z.tuple([hexText], z.unknown()), async (raw) => receipt(await chain.send(raw))),
    eth_accounts: method(NONE, () => []),
  }
}
