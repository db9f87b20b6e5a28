import { AppError } from './errors.ts'

const MAX_JSON_VALUES = 150_000
const MAX_JSON_LIST_ITEMS = 20_000
const MAX_JSON_DEPTH = 40

/**
 * Every list and field is validated by its schema, which reports each error: beyond these limits validation is not
 * started.
 */
export function findJsonLimitError(body: unknown): AppError | null {
  let values = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const inside = Array.isArray(value) ? value : Object.values(value)
      values += inside.length
      if (inside.length > MAX_JSON_LIST_ITEMS || values > MAX_JSON_VALUES || depth >= MAX_JSON_DEPTH)
        return createTooLargeError()
      for (const one of inside) if (typeof one === 'object' && one !== null) next.push(one)
    }
    level = next
  }
  return null
}

const createTooLargeError = () =>
  new AppError('too-large', {
    message: `L’envoi compte trop d’éléments ou trop de niveaux\u00a0: ${MAX_JSON_LIST_ITEMS.toLocaleString('fr-FR')} éléments par liste au plus.`,
  })
