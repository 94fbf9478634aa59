import type { Signer } from '../../client/sign.ts'
import type { CommandContext } from '../command.ts'
import { accountIn } from './key-file.ts'

/** The wallet of a key file, which shows what it signs. */
export async function showingSigner(keyFile: string, { out, err }: CommandContext): Promise<Signer> {
  const account = await accountIn(keyFile, (warning) => err.write(`warning: ${warning}\n`))
  return {
    address: account.address,
    signMessage: ({ message }) => {
      out.write(`${account.address} signs:\n\n${message.replaceAll(/^/gm, '  ')}\n\n`)
      return account.signMessage({ message })
    },
  }
}
