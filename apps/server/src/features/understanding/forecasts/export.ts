import type { FileReply } from '@voisol/contract/endpoint'
import type { Forecast } from '@voisol/contract/forecasts'
import type { Db } from '../../../db/client.ts'
import { type Cell, writeCsv } from '../../../files/csv.ts'
import { frenchTime } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { datedName } from '../../../http/file-name.ts'
import { forecastOf, type Query } from './view.ts'

const COLUMNS = ['measured', 'middle', 'low', 'high', 'persistence'] as const
const TITLES = ['Mesuré (W)', 'Médiane (W)', 'Bas 10 % (W)', 'Haut 90 % (W)', 'Persistance (W)']

const rowsOf = (said: Forecast): Cell[][] => {
  const first = Date.parse(said.startsAt) / 60_000
  const start = (at: number) => first + at * said.step
  return said.middle.map((_, at) => [
    frenchTime(start(at)),
    new Date(start(at) * 60_000).toISOString(),
    ...COLUMNS.map((name) => said[name][at] ?? null),
    said.issuedAt,
  ])
}

/** Mean watts of each step; empty where nothing was measured or said. */
export async function forecastFile(db: Db, actor: Actor, query: Query): Promise<FileReply> {
  const said = await forecastOf(db, actor, query)
  if (!said) throw new AppError('not-found')
  const header = ['Début', 'Début (UTC)', ...TITLES, 'Émise le (UTC)']
  return {
    name: datedName('prevision', 'csv'),
    type: 'text/csv; charset=utf-8',
    content: writeCsv(header, rowsOf(said)),
  }
}
