import { type Day as CivilDay, stepsOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { z } from 'zod'
import { type ArchiveRow, readIntegers, toBytes } from './columns.ts'

/** A day of 25 hours at the finest step, in 32-bit integers. */
export const DAY_BYTES = 4 * 25 * 60
export const MAX_DAYS = 4_000_000
/** What a file of readings may say at most, as `packages/file-formats/src/raw-curves.ts` has it. */
const MAX_WATTS = 30_000_000
export const CurveStep = z.literal([1, 5, 10, 15, 30, 60])
export const DAY_FAULT = 'La journée n’a pas le nombre de pas qui convient, ou une valeur hors limites.'

const stepCount = (row: ArchiveRow) => stepsOfDay(row.day as CivilDay, row.step as Step) // both were parsed as such

/** The readings of a day, held against the length of the day and the bounds of a file import. */
export function checkReadings(row: ArchiveRow): string | undefined {
  const values = readIntegers(row.watts, MAX_WATTS)
  if (values?.length !== stepCount(row)) return DAY_FAULT
  if (row.marks === null || row.marks === undefined) return undefined
  const marks = toBytes(row.marks)
  return marks.length === values.length && marks.every((mark) => mark <= 4) ? undefined : DAY_FAULT
}
export function deriveReadings(row: ArchiveRow) {
  const values = readIntegers(row.watts, MAX_WATTS) ?? new Int32Array()
  const known = values.filter((watts) => watts >= 0)
  const energy = known.reduce((sum, watts) => sum + watts, 0) * Number(row.step)
  const peak = known.reduce((most, watts) => Math.max(most, watts), 0)
  return { present: known.length, expected: values.length, energy, peak }
}
