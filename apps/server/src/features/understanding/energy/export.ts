import type { FileReply } from '@voisol/contract/endpoint'
import type { EnergySeries } from '@voisol/contract/energy'
import { localTime, offsetAt } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { type Cell, writeCsv } from '../../../files/csv.ts'
import { writeXlsx, XLSX_TYPE } from '../../../files/xlsx.ts'
import type { Actor } from '../../../http/actor.ts'
import { datedName } from '../../../http/file-name.ts'
import { type SeriesQuery, seriesOf } from './series.ts'

type Format = 'csv-excel' | 'csv-data' | 'xlsx' | 'json'

const NAME = 'energie'
const COLUMNS = ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'] as const
const TITLES = ['Production', 'Production partagée', 'Surplus', 'Consommation', 'Énergie locale', 'Complément']
const STORED = ['charged', 'stored', 'released', 'restored'] as const
const STORED_TITLES = ['Charge des batteries', 'Stocké', 'Restitué', 'Restitué et affecté']
const QUALITIES = ['incomplet', 'brut', 'corrigé', 'estimé', 'douteux']
const CSV = 'text/csv; charset=utf-8'

export async function energyFile(db: Db, actor: Actor, query: SeriesQuery & { format: Format }): Promise<FileReply> {
  const series = await seriesOf(db, actor, query)
  switch (query.format) {
    case 'json':
      return { name: datedName(NAME, 'json'), type: 'application/json; charset=utf-8', content: JSON.stringify(series) }
    case 'csv-data':
      return { name: datedName(NAME, 'csv'), type: CSV, content: dataCsv(series) }
    case 'csv-excel':
      return { name: datedName(NAME, 'csv'), type: CSV, content: writeCsv(header(series), rows(series)) }
    case 'xlsx':
      return {
        name: datedName(NAME, 'xlsx'),
        type: XLSX_TYPE,
        content: await writeXlsx(NAME, header(series), rows(series)),
      }
  }
}

function header({ storage }: EnergySeries): string[] {
  const titles = [...TITLES, ...(storage ? STORED_TITLES : [])]
  return ['Début', 'Heure légale', ...titles.map((title) => `${title} (kWh)`), 'Qualité']
}

/** The figures of a line, those of batteries last. */
const figuresAt = (series: EnergySeries, at: number) => {
  const { storage } = series
  return [...COLUMNS.map((name) => series[name][at]), ...(storage ? STORED.map((name) => storage[name][at]) : [])]
}

const two = (value: number) => String(value).padStart(2, '0')
/** The season tells the two autumn hours of the same name apart. */
function stamp(start: string): string[] {
  const minute = Date.parse(start) / 60_000
  const { day, minuteOfDay } = localTime(minute)
  const clock = `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
  const date = `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
  return [`${date} ${clock}`, offsetAt(minute) === 120 ? 'été' : 'hiver']
}

const toKwh = (wh: number | null | undefined): Cell =>
  typeof wh === 'number' ? Math.round(wh * 1000) / 1_000_000 : null

const rows = (series: EnergySeries): Cell[][] =>
  series.starts.map((start, at) => [
    ...stamp(start),
    ...figuresAt(series, at).map(toKwh),
    QUALITIES[series.marks[at] ?? 0],
  ])

/** For programs: instants, watt-hours, decimal points. */
const dataCsv = (series: EnergySeries) =>
  [
    ['start', ...[...COLUMNS, ...(series.storage ? STORED : [])].map((name) => `${name}_wh`), 'mark'],
    ...series.starts.map((start, at) => [
      start,
      ...figuresAt(series, at).map((value) => value ?? ''),
      series.marks[at] ?? 0,
    ]),
  ]
    .map((row) => `${row.join(';')}\n`)
    .join('')
