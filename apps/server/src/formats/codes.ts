import { STEPS } from '@voisol/energy/series'
import { foldText } from '../french.ts'
import { type Direction, QUALITY_CODES, READING_UNITS, type ReadingUnit } from './types.ts'

export function parseDirection(text: string): Direction | null {
  const name = foldText(text)
  if (/^prod|injec|production/.test(name)) return 'production'
  if (/^cons|soutir|consommation/.test(name)) return 'consumption'
  return null
}

export const parseUnit = (text: string): ReadingUnit | null =>
  READING_UNITS.find((unit) => unit.toLowerCase() === text.trim().toLowerCase()) ?? null

/** Active power or energy, and not the reactive quantities that the same files carry. */
export const isActiveQuantity = (text: string): boolean =>
  /^(pa|ea|puissance active|energie active|)$/.test(foldText(text))

/** The distributor's letters: measured or cut off, corrected or computed, estimated or rebuilt. */
export function parseQualityLetter(nature: string): number {
  if (/^[CKD]/.test(nature)) return QUALITY_CODES.corrected
  if (/^[EHP]/.test(nature)) return QUALITY_CODES.estimated
  return QUALITY_CODES.raw
}

/** What the distributor says of a value: it doubts it (an index of plausibility that is not 0), has corrected it, or how it came. */
export function parseQuality(said: { stage: string; nature: string; plausibility: string }): number {
  if (!/^0*$/.test(said.plausibility.trim())) return QUALITY_CODES.doubtful
  return /^(best|corr)/i.test(said.stage) ? QUALITY_CODES.corrected : parseQualityLetter(said.nature)
}

/** `PT30M`, `PT1H`, or plain minutes; 0 when there is none. */
export function parseStep(text: string): number {
  const [, count, letter] = /^(?:PT)?(\d{1,4})([MH]?)$/i.exec(text.trim()) ?? []
  return count ? Number(count) * (letter?.toUpperCase() === 'H' ? 60 : 1) : 0
}

export const isKnownStep = (minutes: number): boolean => STEPS.some((step) => step === minutes)
