export type FormFields = Map<string, string>

/** `line_items[0][price_data][unit_amount]` is kept as a flat name with its brackets. */
export const parseForm = (text: string): FormFields => new Map(new URLSearchParams(text))

/** The entries under a name, by the text in the next brackets. */
export function getNestedFields(form: FormFields, name: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of form) {
    const rest = key.startsWith(`${name}[`) ? /^\[([^\]]+)\]$/.exec(key.slice(name.length))?.[1] : undefined
    if (rest !== undefined) found[rest] = value
  }
  return found
}

/** Values of a list, written with or without indexes. */
export const getListValues = (form: URLSearchParams | FormFields, name: string): string[] =>
  [...form].flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [value] : []))
