import { AppError } from './errors.ts'

const MOST_VALUES = 150_000
const MOST_IN_LIST = 20_000
const DEEPEST = 40

/** Every list and field is looked at by its schema, which says what is wrong with each: beyond these it is not even begun. */
export function jsonRefusal(body: unknown): AppError | null {
  let values = 0
  let level: unknown[] = [body]
  for (let depth = 0; level.length; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      const inside = Array.isArray(value) ? value : Object.values(value)
      values += inside.length
      if (inside.length > MOST_IN_LIST || values > MOST_VALUES || depth >= DEEPEST) return tooMuch()
      for (const one of inside) if (typeof one === 'object' && one !== null) next.push(one)
    }
    level = next
  }
  return null
}

const tooMuch = () =>
  new AppError('too-large', {
    message: `L’envoi compte trop d’éléments ou trop de niveaux\u00a0: ${MOST_IN_LIST.toLocaleString('fr-FR')} éléments par liste au plus.`,
  })
