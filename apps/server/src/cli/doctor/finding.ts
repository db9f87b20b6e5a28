/** `warning`: to be handled some day; `fault`: something is broken, or about to be. Both say what to do. */
export type DoctorFinding = { check: string; level: 'ok' | 'warning' | 'fault'; text: string; remedy?: string }

export const createOkFinding = (check: string, text: string): DoctorFinding => ({ check, level: 'ok', text })
export const createWarningFinding = (check: string, text: string, remedy: string): DoctorFinding => ({
  check,
  level: 'warning',
  text,
  remedy,
})
export const createFaultFinding = (check: string, text: string, remedy: string): DoctorFinding => ({
  check,
  level: 'fault',
  text,
  remedy,
})

const createNumberFormat = (digits: number) => new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits })
export const formatGigabytes = (bytes: number) => `${createNumberFormat(1).format(bytes / 1e9)}\u00a0Go`
export const formatMegabytes = (bytes: number) => `${createNumberFormat(0).format(bytes / 1e6)}\u00a0Mo`
export const formatInteger = (n: number) => createNumberFormat(0).format(n)
export const formatSeconds = (n: number) => `${createNumberFormat(1).format(n)}\u00a0s`
export const getErrorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

const MAX_LISTED = 5
/** The first names, and the number of the others. */
export const formatShortList = (names: string[]) =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).join(', ')} et ${formatInteger(names.length - MAX_LISTED)} autres`
    : names.join(', ')
