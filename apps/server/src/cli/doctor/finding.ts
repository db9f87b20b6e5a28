/** `warning`: to be seen to one day; `fault`: something is broken, or about to be. Both say what to do. */
export type Finding = { check: string; level: 'ok' | 'warning' | 'fault'; text: string; remedy?: string }

export const good = (check: string, text: string): Finding => ({ check, level: 'ok', text })
export const warning = (check: string, text: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  text,
  remedy,
})
export const fault = (check: string, text: string, remedy: string): Finding => ({ check, level: 'fault', text, remedy })

const number = (digits: number) => new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits })
export const giga = (bytes: number) => `${number(1).format(bytes / 1e9)}\u00a0Go`
export const mega = (bytes: number) => `${number(0).format(bytes / 1e6)}\u00a0Mo`
export const count = (n: number) => number(0).format(n)
export const seconds = (n: number) => `${number(1).format(n)}\u00a0s`
export const explain = (error: unknown) => (error instanceof Error ? error.message : String(error))

const SHOWN = 5
/** The first of them, and how many more. */
export const some = (names: string[]) =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(', ')} et ${count(names.length - SHOWN)} autres`
    : names.join(', ')
