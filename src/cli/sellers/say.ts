import { parseArgs } from 'node:util'
import { createConnection } from '../../client/connection.ts'
import { signStatement, submitStatement } from '../../client/sellers.ts'
import { needsText, STATEMENT_KINDS } from '../../domain/seller/statement.ts'
import { textFault } from '../../domain/words/text.ts'
import { SAY } from '../catalogue/sellers.ts'
import { clientProblem, unanswered } from '../client-problem.ts'
import { type Command, type CommandContext, type DirectoryDeps, expected, misuse } from '../command.ts'
import { plainLine } from '../terminal/plain.ts'
import { showingSigner } from '../terminal/showing-signer.ts'
import { hostIn, placeIn } from './place.ts'

/** `tollbook say <host> <kind> [about]`: shows the lines, signs them with the key of a file and sends them. */
export const sayCommand = (deps: DirectoryDeps): Command => ({
  run: async (argv: string[], context: CommandContext): Promise<number> => {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: SAY.options })
    const [name, word, ...rest] = positionals
    const kind = STATEMENT_KINDS.find((known) => known === word)
    const keyFile = values['key-file']
    if (name === undefined) throw expected(SAY, '<host>', 'a host that you have claimed')
    if (kind === undefined) throw expected(SAY, '<kind>', `one of ${STATEMENT_KINDS.join(', ')}`)
    if (keyFile === undefined) throw expected(SAY, '--key-file', 'the file with the private key of the wallet')
    const host = hostIn(name, SAY)
    const about = rest.length === 0 ? host : rest.join(' ')
    const { text = '' } = values
    const fault = text === '' && !needsText(kind) ? undefined : textFault(text)
    if (fault !== undefined) throw misuse(fault, 'say it with --text')
    const { to, directory } = placeIn(values, deps.baseUrl, SAY)
    const signer = await showingSigner(keyFile, context)
    const body = await signStatement(signer, { host, kind, about, text, directory, nowMs: deps.nowMs() })
    const connection = createConnection({ baseUrl: to, fetch: deps.fetch })
    const statement = await submitStatement(connection, host, body).catch((error: unknown) => {
      throw clientProblem(error, unanswered(to))
    })
    context.out.write(`${plainLine(`Said: ${statement.href}`)}\n`)
    return 0
  },
})
