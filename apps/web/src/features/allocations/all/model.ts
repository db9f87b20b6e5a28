import type { OperationEnergyItem } from '@voisol/contract/energy-rows'
import { AllocationMethod } from '@voisol/contract/primitives'
import type { z } from 'zod'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { buildCsv } from '../../../ui/chart/download.ts'

export type OperationEnergyRow = z.infer<typeof OperationEnergyItem>

export const getMethodLabel = (method: string | null) => {
  const known = AllocationMethod.safeParse(method).data
  return known ? ALLOCATION_METHOD_LABELS[known].label : 'Aucune clé'
}

const foldText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const SORT_VALUES = {
  name: ({ name }) => foldText(name),
  produced: ({ produced }) => produced,
  shared: ({ shared }) => shared,
  surplus: ({ surplus }) => surplus,
  selfConsumption: ({ selfConsumption }) => selfConsumption,
  selfProduction: ({ selfProduction }) => selfProduction,
} satisfies Record<string, (row: OperationEnergyRow) => string | number | null>
const isSortName = (name: string): name is keyof typeof SORT_VALUES => Object.hasOwn(SORT_VALUES, name)

/** The rows that hold every word, in the order asked for; what is not known comes last. */
export function filterAndSortRows(rows: OperationEnergyRow[], searchText: string, sort: string): OperationEnergyRow[] {
  const name = sort.replace(/^-/, '')
  const value: (row: OperationEnergyRow) => string | number | null = isSortName(name)
    ? SORT_VALUES[name]
    : SORT_VALUES.name
  const down = sort.startsWith('-') ? -1 : 1
  const searchWords = foldText(searchText).split(/\s+/).filter(Boolean)
  return rows
    .filter((row) => searchWords.every((word) => foldText(`${row.name} ${getMethodLabel(row.method)}`).includes(word)))
    .toSorted((one, other) => {
      const [a, b] = [value(one), value(other)]
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a === b ? 0 : a < b ? -down : down
    })
}

const formatCsvKwh = (wh: number) => String(Math.round(wh) / 1000).replace('.', ',')
const formatCsvRatio = (value: number | null) =>
  value === null ? '' : String(Math.round(value * 1e4) / 1e4).replace('.', ',')

export const buildOperationsCsv = (rows: OperationEnergyRow[]) =>
  buildCsv([
    [
      'Opération',
      'Méthode',
      'Production (kWh)',
      'Énergie partagée (kWh)',
      'Surplus (kWh)',
      'Pas encore réparti (kWh)',
      'Consommation (kWh)',
      'Taux d’autoconsommation',
      'Taux d’autoproduction',
    ],
    ...rows.map((row) => [
      row.name,
      getMethodLabel(row.method),
      ...[row.produced, row.shared, row.surplus, row.pendingProduced, row.consumed].map(formatCsvKwh),
      formatCsvRatio(row.selfConsumption),
      formatCsvRatio(row.selfProduction),
    ]),
  ])
