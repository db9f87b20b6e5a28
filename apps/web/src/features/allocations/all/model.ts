import type { OperationRow } from '@voisol/contract/energy-rows'
import { Method } from '@voisol/contract/primitives'
import type { z } from 'zod'
import { METHODS } from '../../../lib/energy-labels.ts'
import { csv } from '../../../ui/chart/download.ts'

export type Row = z.infer<typeof OperationRow>

export const methodLabel = (method: string | null) => {
  const known = Method.safeParse(method).data
  return known ? METHODS[known].label : 'Aucune clé'
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const SORTS = {
  name: ({ name }) => fold(name),
  produced: ({ produced }) => produced,
  shared: ({ shared }) => shared,
  surplus: ({ surplus }) => surplus,
  selfConsumption: ({ selfConsumption }) => selfConsumption,
  selfProduction: ({ selfProduction }) => selfProduction,
} satisfies Record<string, (row: Row) => string | number | null>
const isSort = (name: string): name is keyof typeof SORTS => Object.hasOwn(SORTS, name)

/** The rows that hold every word, in the order asked for; what is not known comes last. */
export function shownRows(rows: Row[], words: string, sort: string): Row[] {
  const name = sort.replace(/^-/, '')
  const value: (row: Row) => string | number | null = isSort(name) ? SORTS[name] : SORTS.name
  const down = sort.startsWith('-') ? -1 : 1
  const wanted = fold(words).split(/\s+/).filter(Boolean)
  return rows
    .filter((row) => wanted.every((word) => fold(`${row.name} ${methodLabel(row.method)}`).includes(word)))
    .toSorted((one, other) => {
      const [a, b] = [value(one), value(other)]
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return a === b ? 0 : a < b ? -down : down
    })
}

const kilo = (wh: number) => String(Math.round(wh) / 1000).replace('.', ',')
const ratio = (value: number | null) => (value === null ? '' : String(Math.round(value * 1e4) / 1e4).replace('.', ','))

export const operationsCsv = (rows: Row[]) =>
  csv([
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
      methodLabel(row.method),
      ...[row.produced, row.shared, row.surplus, row.pendingProduced, row.consumed].map(kilo),
      ratio(row.selfConsumption),
      ratio(row.selfProduction),
    ]),
  ])
