import { STEPS } from '@voisol/energy/series'
import { plain } from '../french.ts'
import { type Direction, QUALITY, UNITS, type Unit } from './types.ts'

export function directionOf(text: string): Direction | null {
  const name = plain(text)
  if (/^prod|injec|production/.test(name)) return 'production'
  if (/^cons|soutir|consommation/.test(name)) return 'consumption'
  return null
}

export const unitOf = (text: string): Unit | null =>
  UNITS.find((unit) => unit.toLowerCase() === text.trim().toLowerCase()) ?? null

/** Active power or energy, and not the reactive quantities that the same files carry. */
export const isActive = (text: string): boolean => /^(pa|ea|puissance active|energie active|)$/.test(plain(text))

/** The distributor's letters: measured or cut off, corrected or computed, estimated or rebuilt. */
export function qualityOf(nature: string): number {
  if (/^[CKD]/.test(nature)) return QUALITY.corrected
  if (/^[EHP]/.test(nature)) return QUALITY.estimated
  return QUALITY.raw
}

/** What the distributor says of a value: it doubts it (an index of plausibility that is not 0), has corrected it, or how it came. */
export function qualityIn(said: { stage: string; nature: string; plausibility: string }): number {
  if (!/^0*$/.test(said.plausibility.trim())) return QUALITY.doubtful
  return /^(best|corr)/i.test(said.stage) ? QUALITY.corrected : qualityOf(said.nature)
}

/** `PT30M`, `PT1H`, or plain minutes; 0 when there is none. */
export function stepOf(text: string): number {
  const [, count, letter] = /^(?:PT)?(\d{1,4})([MH]?)$/i.exec(text.trim()) ?? []
  return count ? Number(count) * (letter?.toUpperCase() === 'H' ? 60 : 1) : 0
}

export const isStep = (minutes: number): boolean => STEPS.some((step) => step === minutes)
