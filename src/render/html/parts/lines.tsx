import { NO_DATA } from '../../../domain/count.ts'

/** Lines that are printed as they are, one under the other. */
export const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? (
    <p class="none">{NO_DATA}</p>
  ) : (
    <ul class="lines">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
