import { privateKeyToAccount } from 'viem/accounts'
import { startBase } from '../base.ts'
import { dollarAbi } from '../contracts.ts'

/** Who is sent a base unit again and again; nobody else is given anything. */
export const LUCKY = '0x7777777777777777777777777777777777777777'
/** As many senders, each with transactions of its own under way at all times. */
const KEYS = [
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
] as const

/** A program that sends until it is killed, and says of each transaction when the chain has answered. */
async function send(stateFile: string): Promise<void> {
  const base = await startBase({ stateFile, blockTimeS: 1 })
  const sendAlways = async (key: (typeof KEYS)[number]): Promise<never> => {
    const wallet = base.walletClient(privateKeyToAccount(key))
    for (;;) {
      const mint = { address: base.dollar, abi: dollarAbi, functionName: 'mint', args: [LUCKY, 1n] } as const
      process.stdout.write(`${await wallet.writeContract({ ...mint, gas: 100_000n })}\n`)
    }
  }
  await Promise.all(KEYS.map(sendAlways))
}

if (process.argv[1]?.endsWith('sending-child.js')) await send(process.argv[2] ?? '')
