import type { ProducerEnergyItem } from '@voisol/contract/energy-figures'
import { formatDwellingName } from '@voisol/contract/points'
import type { z } from 'zod'
import { buildCsv } from '../../../../components/chart/chart-export.ts'

export type Plant = z.infer<typeof ProducerEnergyItem>

/** The operations that have plants, by name. */
export const listOperationOptions = (rows: Plant[]) =>
  [...new Map(rows.map((row) => [row.operationId, row.operationName]))]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'fr'))

export const getPlantName = ({ label, participantName, storage }: Plant) =>
  `${formatDwellingName(label, participantName)}${storage ? ' (batterie)' : ''}`

/** kWh per kWc over all plants whose peak power is known; null where none is. */
export function computeYield(rows: Plant[]) {
  const known = rows.filter((row) => row.yield !== null && row.peakWatts)
  const peak = known.reduce((sum, { peakWatts }) => sum + (peakWatts ?? 0), 0)
  return peak > 0 ? { peak, value: known.reduce((sum, { produced }) => sum + produced, 0) / peak } : null
}

const SORT_VALUES: Record<string, (row: Plant) => number | string | null> = {
  name: getPlantName,
  peak: (row) => row.peakWatts,
  produced: (row) => row.produced,
  yield: (row) => row.yield,
  performance: (row) => row.performance,
  completeness: (row) => row.completeness,
  alarms: (row) => row.alarms.length,
}

/** What is not known comes last, whichever way the column goes. */
export function sortPlants(rows: Plant[], sort: string): Plant[] {
  const falling = sort.startsWith('-')
  const read = SORT_VALUES[falling ? sort.slice(1) : sort]
  if (!read) return rows
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'string' ? a.localeCompare(String(b), 'fr') : a - Number(b)
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return falling ? compare(b, a) : compare(a, b)
  })
}

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function filterPlants(rows: Plant[], text: string): Plant[] {
  const searchText = foldText(text).trim()
  const digits = searchText.replace(/\s/g, '')
  const matches = (row: Plant) =>
    foldText(`${row.label} ${row.participantName} ${row.operationName}`).includes(searchText) ||
    (digits !== '' && row.prm.includes(digits))
  return searchText ? rows.filter(matches) : rows
}

const formatCsvDecimal = (value: number | null, digits: number) =>
  value === null ? '' : value.toFixed(digits).replace('.', ',')

export const buildPlantsCsv = (rows: Plant[]) =>
  buildCsv([
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
      formatCsvDecimal(row.peakWatts === null ? null : row.peakWatts / 1000, 3),
      formatCsvDecimal(row.produced / 1000, 3),
      formatCsvDecimal(row.shared / 1000, 3),
      formatCsvDecimal(row.surplus / 1000, 3),
      formatCsvDecimal(row.pendingProduced / 1000, 3),
      formatCsvDecimal(row.yield, 3),
      formatCsvDecimal(row.expected === null ? null : row.expected / 1000, 3),
      formatCsvDecimal(row.performance === null ? null : row.performance * 100, 1),
      formatCsvDecimal(row.completeness === null ? null : row.completeness * 100, 1),
      row.alarms.map(({ message }) => message).join(' '),
    ]),
  ])
