const day = new Intl.DateTimeFormat('fr-CA', { timeZone: 'Europe/Paris', dateStyle: 'short' })

/** `name-2026-03-29.csv`, by the date in Paris. */
export const buildDatedFileName = (name: string, extension: string) => `${name}-${day.format(new Date())}.${extension}`
