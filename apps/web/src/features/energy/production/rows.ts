import type { ProducerRow } from '@voisol/contract/energy-rows'
import { seatName } from '@voisol/contract/points'
import type { z } from 'zod'
import { csv } from '../../../ui/chart/download.ts'

export type Plant = z.infer<typeof ProducerRow>

/** The operations that have plants, by name. */
export const operationsOf = (rows: Plant[]) =>
  [...new Map(rows.map((row) => [row.operationId, row.operationName]))]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'fr'))

export const nameOf = ({ label, participantName, storage }: Plant) =>
  `${seatName(label, participantName)}${storage ? ' (batterie)' : ''}`

/** kWh per kWc over all plants whose peak power is known; null where none is. */
export function yieldOf(rows: Plant[]) {
  const known = rows.filter((row) => row.yield !== null && row.peakWatts)
  const peak = known.reduce((sum, { peakWatts }) => sum + (peakWatts ?? 0), 0)
  return peak > 0 ? { peak, value: known.reduce((sum, { produced }) => sum + produced, 0) / peak } : null
}

const SORTS: Record<string, (row: Plant) => number | string | null> = {
  name: nameOf,
  peak: (row) => row.peakWatts,
  produced: (row) => row.produced,
  yield: (row) => row.yield,
  performance: (row) => row.performance,
  completeness: (row) => row.completeness,
  alarms: (row) => row.alarms.length,
}

/** What is not known comes last, whichever way the column goes. */
export function sorted(rows: Plant[], sort: string): Plant[] {
  const falling = sort.startsWith('-')
  const read = SORTS[falling ? sort.slice(1) : sort]
  if (!read) return rows
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'string' ? a.localeCompare(String(b), 'fr') : a - Number(b)
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return falling ? compare(b, a) : compare(a, b)
  })
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function found(rows: Plant[], text: string): Plant[] {
  const wanted = fold(text).trim()
  const digits = wanted.replace(/\s/g, '')
  const isMeant = (row: Plant) =>
    fold(`${row.label} ${row.participantName} ${row.operationName}`).includes(wanted) ||
    (digits !== '' && row.prm.includes(digits))
  return wanted ? rows.filter(isMeant) : rows
}

const decimal = (value: number | null, digits: number) =>
  value === null ? '' : value.toFixed(digits).replace('.', ',')

export const plantsCsv = (rows: Plant[]) =>
  csv([
    [
      'Centrale',
      'PRM',
      'Titulaire',
      'Opération',
      'Puissance (kWc)',
      'Production (kWh)',
      'Partagé (kWh)',
      'Surplus (kWh)',
      'Pas encore réparti (kWh)',
      'Productible (kWh/kWc)',
      'Attendu (kWh)',
      'Performance (%)',
      'Complétude (%)',
      'Alarmes',
    ],
    ...rows.map((row) => [
      row.label || row.participantName,
      row.prm,
      row.participantName,
      row.operationName,
      decimal(row.peakWatts === null ? null : row.peakWatts / 1000, 3),
      decimal(row.produced / 1000, 3),
      decimal(row.shared / 1000, 3),
      decimal(row.surplus / 1000, 3),
      decimal(row.pendingProduced / 1000, 3),
      decimal(row.yield, 3),
      decimal(row.expected === null ? null : row.expected / 1000, 3),
      decimal(row.performance === null ? null : row.performance * 100, 1),
      decimal(row.completeness === null ? null : row.completeness * 100, 1),
      row.alarms.map(({ message }) => message).join(' '),
    ]),
  ])
