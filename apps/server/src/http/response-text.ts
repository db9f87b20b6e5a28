const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for the few pages and messages written without React. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c)

const day = new Intl.DateTimeFormat('fr-CA', { timeZone: 'Europe/Paris', dateStyle: 'short' })

/** `name-2026-03-29.csv`, by the date in Paris. */
export const buildDatedFileName = (name: string, extension: string) => `${name}-${day.format(new Date())}.${extension}`
