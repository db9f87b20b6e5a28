import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FileReply } from '@voisol/contract/endpoint'
import { daysBetween } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { writeXlsxStream } from 'hucre/xlsx'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { XLSX_TYPE } from '../../../files/xlsx.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { buildTitles, type CurveCsvDialect, DATA_DIALECT, EXCEL_DIALECT, formatLines } from './export-lines.ts'
import { type CurveExtract, streamJson, streamSlices } from './export-parts.ts'
import { getCommonStepOfTwo } from './merge.ts'
import { requireDayRange } from './range.ts'
import { listReadablePoints } from './scope.ts'

type ExportCurvesQuery = {
  from: string
  to: string
  operationId?: string | undefined
  points?: string[] | undefined
  format: 'csv-excel' | 'csv-data' | 'xlsx' | 'json'
}

const MAX_EXPORT_DAYS = 366
const DEFAULT_STEP: Step = 15
/** A year of quarter-hours for fifty points: a larger workbook opens too slowly to be useful. */
const MAX_WORKBOOK_CELLS = 366 * 96 * 50

/** Exports curves. Text formats are streamed, whatever their length. */
export async function exportCurves(db: Db, actor: Actor, query: ExportCurvesQuery): Promise<FileReply> {
  const extract = await loadExtract(db, actor, query)
  const name = `courbes-de-charge-${query.from}-${query.to}`
  switch (query.format) {
    case 'csv-excel':
      return { name: `${name}.csv`, content: toByteStream(streamCsv(extract, EXCEL_DIALECT)) }
    case 'csv-data':
      return { name: `${name}-donnees.csv`, content: toByteStream(streamCsv(extract, DATA_DIALECT)) }
    case 'json':
      return {
        name: `${name}.json`,
        type: 'application/json; charset=utf-8',
        content: toByteStream(streamJson(extract)),
      }
    case 'xlsx':
      return { name: `${name}.xlsx`, type: XLSX_TYPE, content: buildWorkbook(extract) }
  }
}

async function loadExtract(
  db: Db,
  actor: Actor,
  { from, to, operationId, points: pointIds }: ExportCurvesQuery,
): Promise<CurveExtract> {
  requireDayRange(from, to, MAX_EXPORT_DAYS)
  if (actor.space === 'office' && !operationId && !pointIds?.length)
    throw fieldError('points', 'Choisissez une opération ou des points à exporter.')
  if (operationId) await requireVisibleOperation(db, actor, operationId)
  const found = await listReadablePoints(db, actor, { operationId, pointIds: pointIds?.length ? pointIds : undefined })
  const points = found.filter(({ spans }) => spans.some((span) => span.from < to && (span.to ?? '9') > from))
  if (!points.length) throw fieldError('points', 'Aucun point à exporter sur cette période.')
  if (points.length > 1000)
    throw fieldError('points', 'Au plus 1\u202f000 points par fichier\u00a0: choisissez-en moins.')
  const ids = points.map(({ id }) => id)
  const { rows } = await db.execute<{ step: Step }>(sql`
    select distinct step from curve_days where company_id = ${actor.companyId} and point_id = any(${sql.param(ids)}::uuid[])
      and day >= ${from} and day < ${to} and superseded_at is null`)
  const step = rows.length ? rows.map((row) => row.step).reduce(getCommonStepOfTwo) : DEFAULT_STEP
  return { db, companyId: actor.companyId, points, from, to, step }
}

const toByteStream = (parts: AsyncIterable<string>) => Readable.from(encodeParts(parts), { objectMode: false })

async function* encodeParts(parts: AsyncIterable<string>) {
  for await (const part of parts) yield Buffer.from(part)
}

async function* streamCsv(extract: CurveExtract, dialect: CurveCsvDialect) {
  yield `${dialect.mark}${buildTitles(extract, dialect).join(';')}\r\n`
  for await (const slice of streamSlices(extract)) yield formatLines(slice, extract.step, dialect)
}

function buildWorkbook(extract: CurveExtract): Readable {
  const { points, from, to, step } = extract
  const lines = daysBetween(from, to) * (1440 / step)
  if (lines * points.length > MAX_WORKBOOK_CELLS)
    throw fieldError(
      'format',
      'Un classeur Excel tient au plus une année de 50 points au pas de 15 minutes. Choisissez moins de points, une période plus courte, ou le format CSV.',
    )
  return Readable.from(
    writeXlsxStream(streamWorkbookRows(extract), { name: 'Courbes de charge', freezePane: { rows: 1 } }),
  )
}

/** Texts are typed as text in a workbook, so none is taken for a formula. */
async function* streamWorkbookRows(extract: CurveExtract): AsyncGenerator<(string | number | null)[]> {
  yield buildTitles(extract, EXCEL_DIALECT)
  for await (const { startsAt, curves } of streamSlices(extract)) {
    for (let at = 0; at < (curves[0]?.length ?? 0); at++)
      yield [
        ...EXCEL_DIALECT.stamp(startsAt + at * extract.step),
        ...curves.map((watts) => ((watts[at] ?? MISSING) < 0 ? null : (watts[at] ?? 0) / 1000)),
      ]
    // The writer processes a slice without a pause: other requests are served in between.
    await setImmediate()
  }
}
