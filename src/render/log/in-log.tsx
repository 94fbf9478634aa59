import { logLinks } from './words.ts'

interface InLogProps {
  readonly of: readonly { readonly logIndex?: number | undefined }[]
  /** Whether another link stands before it. */
  readonly isAfter?: boolean
}

/** Where the proofs are that these pieces of evidence are in the log; nothing until they are. */
export const InLog = ({ of, isAfter = false }: InLogProps) => (
  <>
    {logLinks(of).map(({ words, href }, at) => [
      isAfter || at > 0 ? ' · ' : '',
      <a key={href} class="by" href={href}>
        {words}
      </a>,
    ])}
  </>
)

/** The same of many, folded. */
export const AllInLog = ({ of }: Pick<InLogProps, 'of'>) =>
  logLinks(of).length === 0 ? null : (
    <details class="why">
      <summary>Where these entries are in the log</summary>
      <p class="small">
        <InLog of={of} />
      </p>
    </details>
  )
