/** Our own words in which `code` is marked as in Markdown. Never for strangers' words. */
export const Inline = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
)
