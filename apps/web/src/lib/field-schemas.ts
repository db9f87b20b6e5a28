import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from './day-input.ts'
import { formatNumber, parseNumber } from './format.ts'

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

type Position = { latitude: number | null; longitude: number | null }

/** Both with decimals: « 45,76 » is one number, not two. */
const POSITION_PATTERN = /^(-?\d{1,2}[.,]\d+)°?\s*[;,\s]\s*(-?\d{1,3}[.,]\d+)°?$/
const MAX_COORDINATE_DECIMALS = 6
export const POSITION_ERROR = 'Latitude et longitude attendues, par exemple 45,7601 ; 4,8512.'

/** « 45.7601, 4.8512 » or « 45,7601 ; 4,8512 », as any map gives it; null where it cannot be one. */
export function parsePosition(text: string): { latitude: number; longitude: number } | null {
  const [, first, second] = POSITION_PATTERN.exec(text.trim()) ?? []
  if (!first || !second) return null
  const [latitude, longitude] = [first, second].map((part) => Number(part.replace(',', '.')))
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return null
  return { latitude, longitude }
}

const formatCoordinate = (value: number) => {
  const digits = String(Number(value.toFixed(MAX_COORDINATE_DECIMALS)))
  return digits.includes('.') ? digits.replace('.', ',') : `${digits},0`
}

export const formatPosition = ({ latitude, longitude }: Position) =>
  latitude === null || longitude === null ? '' : `${formatCoordinate(latitude)} ; ${formatCoordinate(longitude)}`
