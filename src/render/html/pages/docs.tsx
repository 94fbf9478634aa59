import type { Rail } from '../../../domain/route.ts'
import type {
  JsonSchema,
  OpenapiAnswer,
  OpenapiDocument,
  OpenapiOperation,
  OpenapiParameter,
} from '../../../wire/openapi.ts'
import { docsHref, fullAddress, llmsHref, mcpHref, openapiHref, type Site } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'
import { Inline } from '../parts/inline.tsx'
import { Quickstart } from '../parts/quickstart.tsx'
import { fieldsOf, schemaWords } from './schema-words.ts'

const LEAD = 'Six tasks to begin with, then every address of this directory, what it takes and what it answers.'

interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: OpenapiOperation
}

const placedIn = (document: OpenapiDocument): Placed[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** A readable reference, made from the OpenAPI document itself. */
export function docsPage(site: Site, document: OpenapiDocument, rails: readonly Rail[]): string {
  const all = placedIn(document)
  return page({
    site,
    title: `Docs · ${PRODUCT}`,
    description: LEAD,
    canonical: fullAddress(site, docsHref),
    at: docsHref,
    alternates: [{ type: 'application/json', name: 'OpenAPI 3.1', href: openapiHref }],
    children: (
      <>
        <header>
          <h1>Docs</h1>
          <p class="lead">{LEAD}</p>
          <p class="label">
            <Inline text={document.info.description} />
          </p>
        </header>
        <Quickstart site={site} rails={rails} />
        <section>
          <h2>For programs</h2>
          <ul class="plain">
            <li>
              <a href={openapiHref}>{openapiHref}</a>: this page as OpenAPI 3.1
            </li>
            <li>
              <a href={llmsHref}>{llmsHref}</a>: where to begin, for language models
            </li>
            <li>
              <code>{fullAddress(site, mcpHref)}</code>: the same evidence as tools of the Model Context Protocol
            </li>
          </ul>
        </section>
        <nav class="jump" aria-label="Parts of this page">
          {document.tags.map(({ name }) => (
            <a key={name} href={`#${name.toLowerCase()}`}>
              {name}
            </a>
          ))}
          <a href="#schemas">Schemas</a>
        </nav>
        {document.tags.map(({ name, description }) => (
          <section key={name} id={name.toLowerCase()}>
            <h2>{name}</h2>
            <p class="small">{description}</p>
            {all
              .filter(({ operation }) => operation.tags.includes(name))
              .map((placed) => (
                <Reference key={placed.operation.operationId} {...placed} />
              ))}
          </section>
        ))}
        <section id="schemas">
          <h2>Schemas</h2>
          <p class="small">What is not known is null. A question mark marks a member that may be left out.</p>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <Schema key={name} name={name} schema={schema} />
          ))}
        </section>
      </>
    ),
  })
}

const Reference = ({ method, path, operation }: Placed) => (
  <article class="route" id={operation.operationId}>
    <h3>
      <span class="method">{method}</span>
      <code>{path}</code>
    </h3>
    <p>
      <Inline text={operation.summary} />
    </p>
    {operation.description !== undefined && (
      <p class="small">
        <Inline text={operation.description} />
      </p>
    )}
    {operation.parameters.length > 0 && (
      <>
        <h4>Parameters</h4>
        <ul class="lines">
          {operation.parameters.map((parameter) => (
            <li key={parameter.name}>
              <Inline text={parameterLine(parameter)} />
            </li>
          ))}
        </ul>
      </>
    )}
    {operation.requestBody !== undefined && <RequestBody content={operation.requestBody.content} />}
    <h4>Answers</h4>
    <ul class="lines">
      {Object.entries(operation.responses).map(([status, answer]) => (
        <li key={status} class={Number(status) < 400 ? 'ok' : Number(status) === 402 ? 'due' : 'bad'}>
          <Inline text={answerLine(status, answer)} />
        </li>
      ))}
    </ul>
  </article>
)

const RequestBody = ({ content }: { readonly content: NonNullable<OpenapiOperation['requestBody']>['content'] }) => (
  <>
    {Object.entries(content).map(([mediaType, { schema, example }]) => (
      <div key={mediaType}>
        <h4>{`Body, ${mediaType}: ${schemaWords(schema)}`}</h4>
        <pre>{JSON.stringify(example, null, 2)}</pre>
      </div>
    ))}
  </>
)

const Schema = ({ name, schema }: { readonly name: string; readonly schema: JsonSchema }) => (
  <article class="route" id={`schema-${name}`}>
    <h3>
      <code>{name}</code>
    </h3>
    <ul class="lines">
      {fieldsOf(schema).map((line) => (
        <li key={line}>
          <Inline text={line} />
        </li>
      ))}
    </ul>
  </article>
)

function parameterLine({ name, in: place, required, description, schema, example }: OpenapiParameter): string {
  const needed = required ? ', required' : ''
  const sample = example === undefined ? '' : `; for example ${example}`
  return `${name} (${place}${needed}): ${description} [${schemaWords(schema)}]${sample}`
}

function answerLine(status: string, { description, content = {}, headers = {} }: OpenapiAnswer): string {
  const bodies = Object.entries(content).map(([mediaType, { schema }]) => `${mediaType} ${schemaWords(schema)}`)
  const named = Object.keys(headers)
  const parts = [...bodies, ...(named.length === 0 ? [] : [`headers ${named.join(', ')}`])]
  return `${status} ${description}${parts.length === 0 ? '' : ` [${parts.join('; ')}]`}`
}
