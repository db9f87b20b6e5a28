import { DATA_SETS } from '@voisol/contract/data-sets'
import { csvCell, RFC, writeCsv } from '../../../files/csv.ts'
import { today } from '../../../today.ts'
import type { Order } from './order.ts'
import { SOURCES } from './table.ts'

const HEADER = ['colonne', 'type', 'unité', 'sens']
const TYPES = {
  text: 'texte',
  integer: 'entier',
  integer32: 'entier',
  number: 'nombre',
  day: 'jour',
  instant: 'moment',
}

export const dictionaryRows = ({ dataSet }: Order): string[][] => [
  HEADER,
  ...SOURCES[dataSet].columns.map(({ name, type, unit, about }) => [name, TYPES[type], unit, about]),
]

export function dictionaryCsv(order: Order): string {
  const [header = [], ...rows] = dictionaryRows(order)
  if (order.dialect === 'french') return writeCsv(header, rows)
  return [header, ...rows].map((row) => `${row.map((cell) => csvCell(cell, RFC)).join(',')}\r\n`).join('')
}

export const dictionaryJson = (order: Order): string =>
  JSON.stringify({
    dataSet: order.dataSet,
    label: DATA_SETS[order.dataSet].label,
    about: SOURCES[order.dataSet].about,
    columns: SOURCES[order.dataSet].columns,
  })

/** What somebody who finds the archive years later needs to know. */
export function readme(order: Order, rows: number): string {
  const { label } = DATA_SETS[order.dataSet]
  const period = order.from && order.to ? `Du ${order.from} au ${order.to}, ce dernier jour exclu.\r\n` : ''
  return [
    `${label}\r\n\r\n${SOURCES[order.dataSet].about}\r\n${period}`,
    `${rows.toLocaleString('fr-FR')} lignes, exportées par Voisol le ${today()}.\r\n\r\n`,
    'Les jours sont ceux de Paris, les moments sont en temps universel (UTC). Une case vide est une absence, jamais un zéro.\r\n',
    'Le fichier .dictionary.csv dit le sens et l’unité de chaque colonne.\r\n',
  ].join('')
}
