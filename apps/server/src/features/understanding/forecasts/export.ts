import type { FileReply } from '@voisol/contract/endpoint'
import type { Forecast } from '@voisol/contract/forecasts'
import type { Db } from '../../../db/client.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { formatFrenchTime } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { type ForecastQuery, loadForecast } from './view.ts'

const EXPORTED_COLUMNS = ['measured', 'middle', 'low', 'high', 'persistence'] as const
const COLUMN_TITLES = ['Mesuré (W)', 'Médiane (W)', 'Bas 10 % (W)', 'Haut 90 % (W)', 'Persistance (W)']

const toForecastRows = (forecast: Forecast): SpreadsheetCell[][] => {
  const first = Date.parse(forecast.startsAt) / 60_000
  const start = (at: number) => first + at * forecast.step
  return forecast.middle.map((_, at) => [
    formatFrenchTime(start(at)),
    new Date(start(at) * 60_000).toISOString(),
    ...EXPORTED_COLUMNS.map((name) => forecast[name][at] ?? null),
    forecast.issuedAt,
  ])
}

/** Mean watts of each step; empty when not measured or not forecast. */
export async function exportForecastFile(db: Db, actor: Actor, query: ForecastQuery): Promise<FileReply> {
  const forecast = await loadForecast(db, actor, query)
  if (!forecast) throw new AppError('not-found')
  const header = ['Début', 'Début (UTC)', ...COLUMN_TITLES, 'Émise le (UTC)']
  return {
    name: buildDatedFileName('prevision', 'csv'),
    type: 'text/csv; charset=utf-8',
    content: writeCsv(header, toForecastRows(forecast)),
  }
}
