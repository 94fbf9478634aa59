import { logLinks } from './words.ts'

/** Where the proofs are that these pieces of evidence are in the log; nothing until they are. */
export const InLog = ({ of }: { readonly of: readonly { readonly logIndex?: number | undefined }[] }) => (
  <>
    {logLinks(of).map(({ words, href }) => (
      <a key={href} class="by" href={href}>
        {words}
      </a>
    ))}
  </>
)
