import { z } from 'zod'
import { needsText, STATEMENT_KINDS } from '../../../domain/seller/statement.ts'
import { statementPage } from '../../../render/html/pages/statement.tsx'
import { statementPageJson, statementsJson } from '../../../render/json/statement.ts'
import { fullAddress, statementHref } from '../../../render/site.ts'
import { pageOfStatement } from '../../../views/seller/open-seller.ts'
import { PATHS } from '../../../wire/paths.ts'
import { statementAbout } from '../../../wire/sellers/body.ts'
import { statementDigestMessage } from '../../../wire/sellers/lines.ts'
import { readJsonBody } from '../../body.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, requireHost } from '../../hosts-named.ts'
import { json } from '../../openapi/operation.ts'
import { EXAMPLES, host, inQuery, page } from '../../openapi/parameters.ts'
import { BODY_PROBLEMS, HOST_LIST_PROBLEMS, HOST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { listHandler } from '../hosts/list-json.ts'
import { STATEMENTS } from '../hosts/lists.ts'
import {
  DIRECTORY_PARAMETER,
  directoryIn,
  SIGNING_ANSWER,
  SIGNING_PARAMETERS,
  sendMessage,
  signingRequest,
} from '../writing/signing.ts'
import { storedResponse } from '../writing/stored.ts'
import { createWritingEndpoint } from '../writing/writing-page.ts'

const GIVE = 'Give kind and about.'

export const submitStatementEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.apiStatements, id: 'submitStatement', tag: 'Sellers' },
  summary: 'Say something as the seller of a host',
  description:
    'Free, for a wallet that has proved to speak for the host. Shown as “The seller says”, apart from all evidence; no count changes by it.',
  parameters: [host],
  body: {
    schema: 'StatementRequest',
    example: {
      kind: 'reply',
      about: `review ${EXAMPLES.review}`,
      text: 'Fixed since this morning.',
      wallet: EXAMPLES.wallet,
      signed_at: EXAMPLES.signedAt,
      signature: '0x…',
    },
  },
  answers: {
    200: {
      ...json('StatementPage', 'The same wallet had sent the same statement before'),
      headers: { Location: 'Its address' },
    },
    201: { ...json('StatementPage', 'The stored statement'), headers: { Location: 'Its address' } },
  },
  problems: [
    ...BODY_PROBLEMS,
    ...['invalid-host', 'unknown-host', 'unknown-route', 'unknown-writing'],
    ...['seller-unproven', 'statement-without-effect'],
  ] as const,
  handler: (services) => async (context) => {
    const { site, sellers, writeLimits } = services
    const { incoming, call } = context.env
    const gate = writeLimits.gate(incoming, call.head)
    const body = await readJsonBody(context.req.raw)
    const { statement, isNew } = await sellers.state(hostIn(context, services), body, gate)
    return storedResponse(
      gate,
      isNew,
      statementPageJson(site, pageOfStatement(statement)),
      fullAddress(site, statementHref(statement.id)),
    )
  },
})

export const statementMessageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.statementMessage, id: 'statementMessage', tag: 'Sellers' },
  summary: 'The six lines that a statement’s wallet signs',
  parameters: [
    host,
    inQuery('kind', 'What is said', { required: true, schema: z.enum(STATEMENT_KINDS), example: 'contact' }),
    inQuery('about', 'What it is about, as in the body', { required: true, example: EXAMPLES.host }),
    ...SIGNING_PARAMETERS,
    DIRECTORY_PARAMETER,
  ],
  answers: { 200: SIGNING_ANSWER },
  problems: ['invalid-field', 'invalid-text', ...HOST_PROBLEMS],
  handler: (services) => async (context) => {
    const { allow, site, nowUs } = services
    const host = hostIn(context, services)
    const parameters = new Parameters(context.req.url)
    const given = parameters.required(GIVE)
    const kind = given.oneOf('kind', STATEMENT_KINDS)
    const about = given.text('about')
    statementAbout(kind, about, host, allow)
    const asked = signingRequest(context, parameters, nowUs(), !needsText(kind))
    const directory = directoryIn(parameters, site)
    await requireHost(services, host)
    const lines = { host, kind, about, directory, signedAt: asked.signedAt }
    return sendMessage(asked, statementDigestMessage(lines, asked.digest))
  },
})

export const listStatementsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiStatements, id: 'listStatements', tag: 'Sellers', isCached: true },
  summary: "What a host's seller says, newest first, and who speaks for it",
  parameters: [host, ...page],
  answers: { 200: json('Statements', 'One page of statements') },
  problems: HOST_LIST_PROBLEMS,
  handler: listHandler(STATEMENTS, statementsJson),
})

export const getStatementEndpoint = createWritingEndpoint({
  ...{ noun: 'statement', path: PATHS.statement, id: 'getStatement', tag: 'Sellers', example: EXAMPLES.statement },
  summary: 'One statement of a seller, with everything that verifies it offline',
  ...{ schema: 'StatementPage', answer: 'The statement' },
  find: (directory, id) => directory.statement(id),
  json: statementPageJson,
  html: statementPage,
  href: statementHref,
})
