import type { Context } from 'hono'
import type { PathTemplate } from '../wire/paths.ts'
import type { AppEnv, Handler, Services } from './call.ts'
import type { Operation } from './openapi/operation.ts'

/** What handlers are made from, once, when the server starts. */
export interface HandlerDeps extends Services {
  /** Everything that is served, for the document that describes it. */
  readonly operations: readonly Operation[]
}

/** `/hosts/{host}` as the router writes it: `/hosts/:host`. */
export type RouterPath<Template extends string> = Template extends `${infer Before}{${infer Name}}${infer Rest}`
  ? `${Before}:${Name}${RouterPath<Rest>}`
  : Template

/** Parameters that hold several segments, as the router writes what they take. */
const SEVERAL_SEGMENTS: Readonly<Record<string, string>> = { tile: '{.+}' }

export const routerPath = (template: string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `:${name}${SEVERAL_SEGMENTS[name] ?? ''}`)

/** A request target that leads to a template: a path or a whole address, with or without a query. */
export const targetPattern = (template: string): RegExp => {
  const path = template
    .replaceAll(/[.]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name in SEVERAL_SEGMENTS ? '[^?#]+' : '[^/?#]+'))
  return new RegExp(`^(?:https?://[^/?#]*)?${path}(?:\\?|$)`, 'i')
}

/** One address under one method: the words that describe it, and what answers it. */
export interface Endpoint extends Operation {
  readonly path: PathTemplate
  readonly handler: (deps: HandlerDeps) => Handler
}

type PathContext<Template extends PathTemplate> = Context<AppEnv, RouterPath<Template>>

interface EndpointOf<Template extends PathTemplate> extends Operation {
  readonly path: Template
  readonly handler: (deps: HandlerDeps) => (context: PathContext<Template>) => Response | Promise<Response>
}

/** An endpoint whose handler knows the parameters of its path by their names. */
export const createEndpoint = <const Template extends PathTemplate>(endpoint: EndpointOf<Template>): Endpoint =>
  endpoint
