import { SimulatedRefusal } from './answers.ts'
import type { SettledParticipation } from './settlement.ts'

const createInvalidRefusal = (message: string) => new SimulatedRefusal(400, 'SGT400', message)
/** Tenths of a percent, so that sums are exact. */
const SCALE = 10

/** `Horodate;<prm>;…` then a row per step: percentages with a decimal comma, with a total of at most one hundred. */
export function requireValidKeyUpload(seats: SettledParticipation[], producer: string, csv: string): void {
  if (!seats.some(({ prm, role }) => prm === producer && role === 'prod'))
    throw new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
  const [header = '', ...rows] = csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(Boolean)
  const [first, ...prms] = header.split(';')
  if (first !== 'Horodate' || !prms.length) throw createInvalidRefusal('the first line must be Horodate;<prm>;…')
  const known = new Set(seats.filter(({ role }) => role === 'cons').map(({ prm }) => prm))
  const stranger = prms.find((prm) => !known.has(prm))
  if (stranger) throw createInvalidRefusal(`${stranger} is not a consumer of the agreement`)
  if (!rows.length) throw createInvalidRefusal('the file has no coefficients')
  for (const [at, row] of rows.entries()) {
    const [stamp = '', ...cells] = row.split(';')
    const values = cells.map((cell) => (/^\d{1,3}(,\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN))
    if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(stamp) || cells.length !== prms.length || values.some(Number.isNaN))
      throw createInvalidRefusal(`line ${at + 2} is not readable`)
    const sum = values.reduce((total, value) => total + Math.round(value * SCALE), 0)
    if (sum > 100 * SCALE) throw createInvalidRefusal(`the coefficients of line ${at + 2} sum to more than 100`)
  }
}
