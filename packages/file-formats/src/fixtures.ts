import { dayStart, offsetAt } from '@voisol/energy/calendar'
import type { CurveFileChoices, ParsedFile } from './curve-file-types.ts'
import { parseCurveFile } from './parse-curve-file.ts'

export const PRM = '30001642617347'
export const OTHER_PRM = '09111642617347'
/** The days of 2026 and 2025 that change the clock. */
export const SPRING_CHANGE_DAY = '2026-03-29'
export const AUTUMN_CHANGE_DAY = '2025-10-26'

export const encodeFixture = (text: string) => new TextEncoder().encode(text)
export const parseFixture = (text: string, name = 'courbe.csv', choices: CurveFileChoices = {}) =>
  parseCurveFile(name, encodeFixture(text), choices)

/** Watts of each day of the only series. */
export const getWattsByDay = (file: ParsedFile, series = 0) =>
  Object.fromEntries((file.series[series]?.days ?? []).map(({ day, watts }) => [day, [...watts]]))
export const listProblemCodes = (file: ParsedFile) =>
  file.problems.map(({ line, code, severity }) => `${line} ${code} ${severity}`)

const two = (value: number) => String(value).padStart(2, '0')

/** The wall clock of Paris at an instant, as the distributor writes it. */
export function formatParisClock(minute: number): string {
  const date = new Date((minute + offsetAt(minute)) * 60_000).toISOString()
  return `${date.slice(0, 10)} ${date.slice(11, 16)}:00`
}
export const formatParisIso = (minute: number) =>
  `${formatParisClock(minute).replace(' ', 'T')}+${two(offsetAt(minute) / 60)}:00`

/** The stamps of a whole day: openings of its intervals, or their ends. */
export function buildDayStamps(
  day: string,
  step: number,
  stamp: 'start' | 'end',
  write: (minute: number) => string,
): string[] {
  const opens = dayStart(day)
  const [next] = [new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)]
  const minutes = dayStart(next) - opens
  return Array.from({ length: minutes / step }, (_, n) => write(opens + n * step + (stamp === 'end' ? step : 0)))
}

/** 1, 2, 3…: a day whose order shows at once. */
export const countUpTo = (length: number) => Array.from({ length }, (_, n) => n + 1)
