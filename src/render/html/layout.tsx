import {
  apiHostsHref,
  docsHref,
  iconHref,
  logHref,
  policyHref,
  probingHref,
  problemsHref,
  type Site,
  sellersHref,
  sourcesHref,
} from '../site.ts'
import { ICON_SVG } from '../svg/icon.ts'
import { PRODUCT, TAGLINE } from '../words.ts'
import { type Child, raw } from './jsx/jsx-runtime.ts'
import { CSS } from './style.ts'

export interface Alternate {
  readonly type: string
  readonly name: string
  /** Relative to the root. */
  readonly href: string
}

interface DocumentProps {
  readonly site: Site
  readonly title: string
  readonly description: string
  /** Full address, or `null` for a page that search engines should leave out. */
  readonly canonical: string | null
  /** Full address of a picture for those who share the page. */
  readonly picture?: string
  /** Other representations of the same page. */
  readonly alternates?: readonly Alternate[]
  /** The home page brings its own, larger search form. */
  readonly search?: boolean
  /** Where this page is in the navigation: one of its addresses. */
  readonly at?: string
  readonly children: Child
}

const NAVIGATION: readonly (readonly [name: string, href: string])[] = [
  ['Home', '/'],
  ['Sources', sourcesHref],
  ['Sellers', sellersHref],
  ['Probing', probingHref],
  ['Policy', policyHref],
  ['Docs', docsHref],
]

/** What every page begins with, to the letter: it is compressed once. */
export const PAGE_START = `<!doctype html>
<html lang="en"><head>${
  (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <style>{raw(CSS)}</style>
    </>
  ).text
}`

const OF_SITE = (
  <>
    <meta property="og:site_name" content={PRODUCT} />
    <meta property="og:type" content="website" />
  </>
)
const ICON = <link rel="icon" type="image/svg+xml" href={iconHref} />

const Head = ({ title, description, canonical, picture, alternates = [] }: DocumentProps) => (
  <>
    <title>{title}</title>
    <meta name="description" content={description} />
    {canonical === null ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
    {OF_SITE}
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    {canonical !== null && <meta property="og:url" content={canonical} />}
    {picture !== undefined && <meta property="og:image" content={picture} />}
    {ICON}
    {alternates.map(({ type, href }) => (
      <link key={type} rel="alternate" type={type} href={href} />
    ))}
  </>
)

const SearchForm = () => (
  <form class="find" action="/" method="get">
    <input type="search" name="q" aria-label="Search hosts and paths" placeholder="Search hosts and paths" />
    <button type="submit">Search</button>
  </form>
)

const BRAND = (
  <a class="brand" href="/">
    {raw(ICON_SVG.replace('<svg ', '<svg aria-hidden="true" '))}
    {PRODUCT}
  </a>
)
const SEARCH = <SearchForm />

const Navigation = ({ at }: { readonly at: string | undefined }) => (
  <nav aria-label="Site">
    {NAVIGATION.map(([name, href]) => (
      <a key={href} href={href} aria-current={href === at ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
)

/** Of pages that are in the navigation, and of all others. */
const NAVIGATIONS = new Map(
  [undefined, ...NAVIGATION.map(([, href]) => href)].map((at) => [at, <Navigation key={at} at={at} />]),
)

const SKIP = (
  <a class="skip" href="#main">
    Skip to content
  </a>
)

const FOOTER_NOTE = (
  <p>{TAGLINE}. Listed facts, machine observations and reviews are kept apart; nothing here is an endorsement.</p>
)

const FOOTER_START = (
  <>
    <li>
      <a href={logHref}>Evidence log</a>
    </li>
    <li>
      <a href={problemsHref}>Problems</a>
    </li>
    <li>
      <a href={apiHostsHref}>Hosts as JSON</a>
    </li>
  </>
)

const Body = ({ site: { notice }, alternates = [], search = true, at, children }: DocumentProps) => (
  <body>
    {SKIP}
    {notice && (
      <aside class="notice" aria-label="About this instance">
        <p class="wrap">{notice}</p>
      </aside>
    )}
    <header class="top">
      <div class="wrap">
        {BRAND}
        {NAVIGATIONS.get(at) ?? NAVIGATIONS.get(undefined)}
        {search && SEARCH}
      </div>
    </header>
    <main id="main" class="wrap" tabindex={-1}>
      {children}
    </main>
    <footer class="bottom">
      <div class="wrap">
        {FOOTER_NOTE}
        <ul>
          {FOOTER_START}
          {alternates.map(({ name, href }) => (
            <li key={href}>
              <a href={href}>{name}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  </body>
)

export const page = (props: DocumentProps): string =>
  `${PAGE_START}${Head(props).text}</head>${Body(props).text}</html>\n`
