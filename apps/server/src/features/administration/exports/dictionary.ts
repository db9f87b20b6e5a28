import { DATA_SETS } from '@voisol/contract/data-sets'
import { formatCsvCell, RFC4180_CSV, writeCsv } from '../../../files/csv.ts'
import { getToday } from '../../../today.ts'
import type { ExportOrder } from './order.ts'
import { DATA_SET_SOURCES } from './table.ts'

const HEADER = ['colonne', 'type', 'unité', 'sens']
const TYPE_LABELS = {
  text: 'texte',
  integer: 'entier',
  integer32: 'entier',
  number: 'nombre',
  day: 'jour',
  instant: 'moment',
}

export const buildDictionaryRows = ({ dataSet }: ExportOrder): string[][] => [
  HEADER,
  ...DATA_SET_SOURCES[dataSet].columns.map(({ name, type, unit, about }) => [name, TYPE_LABELS[type], unit, about]),
]

export function buildDictionaryCsv(order: ExportOrder): string {
  const [header = [], ...rows] = buildDictionaryRows(order)
  if (order.dialect === 'french') return writeCsv(header, rows)
  return [header, ...rows].map((row) => `${row.map((cell) => formatCsvCell(cell, RFC4180_CSV)).join(',')}\r\n`).join('')
}

export const buildDictionaryJson = (order: ExportOrder): string =>
  JSON.stringify({
    dataSet: order.dataSet,
    label: DATA_SETS[order.dataSet].label,
    about: DATA_SET_SOURCES[order.dataSet].about,
    columns: DATA_SET_SOURCES[order.dataSet].columns,
  })

/** The README of the archive, for somebody who opens it years later. */
export function buildExportReadme(order: ExportOrder, rows: number): string {
  const { label } = DATA_SETS[order.dataSet]
  const period = order.from && order.to ? `Du ${order.from} au ${order.to}, ce dernier jour exclu.\r\n` : ''
  return [
    `${label}\r\n\r\n${DATA_SET_SOURCES[order.dataSet].about}\r\n${period}`,
    `${rows.toLocaleString('fr-FR')} lignes, exportées par Voisol le ${getToday()}.\r\n\r\n`,
    'Les jours sont ceux de Paris, les moments sont en temps universel (UTC). Une case vide est une absence, jamais un zéro.\r\n',
    'Le fichier .dictionary.csv dit le sens et l’unité de chaque colonne.\r\n',
  ].join('')
}
