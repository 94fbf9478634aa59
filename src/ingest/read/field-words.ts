/** `maxAmountRequired`, `max_amount_required`, `Max-Amount-Required`: the words of a field's name, in lower case. */
export const fieldWords = (name: string): string[] =>
  name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
