import { parseArgs } from 'node:util'
import { createConnection } from '../../client/connection.ts'
import { signClaim, submitClaim } from '../../client/sellers.ts'
import type { ClaimDocument } from '../../wire/api/seller.ts'
import { CLAIM } from '../catalogue/sellers.ts'
import { clientProblem, unanswered } from '../client-problem.ts'
import { type Command, type CommandContext, type DirectoryDeps, expected, usageProblem } from '../command.ts'
import { plainLine } from '../terminal/plain.ts'
import { showingSigner } from '../terminal/showing-signer.ts'
import { hostIn, placeIn } from './place.ts'

/** `tollbook claim <host>`: shows the lines, signs them with the key of a file, sends them, and says what proved it. */
export const claimCommand = (deps: DirectoryDeps): Command => ({
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: CLAIM.options })
    const [word] = positionals
    const keyFile = values['key-file']
    if (word === undefined) throw expected(CLAIM, '<host>', 'the host that is yours')
    if (positionals.length > 1) throw usageProblem(CLAIM, 'one host is claimed at a time')
    if (keyFile === undefined) throw expected(CLAIM, '--key-file', 'the file with the private key of the wallet')
    const host = hostIn(word, CLAIM)
    const { to, directory } = placeIn(values, deps.baseUrl, CLAIM)
    const signer = await showingSigner(keyFile, context)
    const body = await signClaim(signer, { host, directory, nowMs: deps.nowMs() })
    const connection = createConnection({ baseUrl: to, fetch: deps.fetch })
    const claim = await submitClaim(connection, body).catch((error: unknown) => {
      throw clientProblem(error, unanswered(to))
    })
    context.out.write(outcome(claim))
    return 0
  },
})

const outcome = ({ wallet, host, proofs }: ClaimDocument): string =>
  [`${wallet} speaks for ${host}. What proves it:`, ...proofs.map(({ line }) => `  ${line}`), '']
    .map(plainLine)
    .join('\n')
