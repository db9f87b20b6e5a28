import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from './day-text.ts'
import { formatNumber, parseNumber } from './format.ts'
import { POSITION_ERROR, type Position, parsePosition } from './position.ts'

type NumberBounds = {
  min: number
  max: number
  /** What is stored of one unit that is typed: 100 for euros kept in cents. */
  scale?: number
}

const isWithin = (value: number, { min, max }: NumberBounds) => value >= min && value <= max

/** A number as people type it, « 1 234,5 » as well as « 1234.5 », to the integer that is stored. */
export const numberInputSchema = (bounds: NumberBounds) =>
  z.string().transform((text, context) => {
    const value = parseNumber(text)
    if (value !== null && isWithin(value, bounds)) return Math.round(value * (bounds.scale ?? 1))
    const message =
      value === null
        ? 'Nombre attendu, par exemple 1\u202f234,5.'
        : `Nombre attendu entre ${formatNumber(bounds.min)} et ${formatNumber(bounds.max)}.`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/** The other way: what a form shows of a stored integer, with no more decimals than it has. */
export const formatNumberInput = (stored: number, scale = 1) =>
  String(Math.round((stored / scale) * 1e6) / 1e6).replace('.', ',')

/** A day, or nothing. */
export const dayInputSchema = z.union([z.literal('').transform(() => null), Day], DAY_ERROR)

/** Both coordinates in one field, or nothing. */
export const positionInputSchema = z.string().transform((text, context): Position => {
  if (text.trim() === '') return { latitude: null, longitude: null }
  const found = parsePosition(text)
  if (found) return found
  context.addIssue({ code: 'custom', message: POSITION_ERROR })
  return z.NEVER
})
