import { type Account, type Address, encodeFunctionData, type Hex, serializeErc6492Signature } from 'viem'
import { account, type Base } from './base.ts'
import { factoryAbi, factoryCode, walletAbi } from './contracts.ts'

export type SmartWallets = Awaited<ReturnType<typeof openSmartWallets>>

const SALT: Hex = `0x${'00'.repeat(32)}`
const DEPLOYER = 7

/** Wallets with code on the local chain: one for each owner and salt, at an address known before it is deployed. */
export async function openSmartWallets(base: Base) {
  const deployer = base.walletClient(account(base.accounts, DEPLOYER))
  const hash = await deployer.deployContract({ abi: factoryAbi, bytecode: factoryCode.creation })
  const { contractAddress: factory } = await base.publicClient.waitForTransactionReceipt({ hash })
  if (!factory) throw new Error('the factory was not deployed')
  const deployData = (owner: Address, salt: Hex = SALT): Hex =>
    encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args: [owner, salt] })
  return {
    factory,
    addressOf: (owner: Address, salt: Hex = SALT): Promise<Address> =>
      base.publicClient.readContract({
        address: factory,
        abi: factoryAbi,
        functionName: 'addressOf',
        args: [owner, salt],
      }),
    async deploy(owner: Address, salt: Hex = SALT): Promise<void> {
      const sent = await deployer.sendTransaction({ to: factory, data: deployData(owner, salt) })
      await base.publicClient.waitForTransactionReceipt({ hash: sent })
    },
    /** A signature of the owner, as one of a wallet that may not be deployed yet (ERC-6492). */
    wrap: (signature: Hex, owner: Address, salt: Hex = SALT): Hex =>
      serializeErc6492Signature({ address: factory, data: deployData(owner, salt), signature }),
    /** Has a deployed wallet call somebody; its transaction. */
    async exec(owner: Account, wallet: Address, to: Address, data: Hex): Promise<Hex> {
      const sent = await base
        .walletClient(owner)
        .writeContract({ address: wallet, abi: walletAbi, functionName: 'exec', args: [to, 0n, data] })
      await base.publicClient.waitForTransactionReceipt({ hash: sent })
      return sent
    },
  }
}
