import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATA_SET_IDS } from '@voisol/contract/data-sets'
import { permissions } from '@voisol/contract/permissions'
import { readXlsx } from 'hucre/xlsx'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedForecast } from '../../../../test/factories-analytics.ts'
import { allocateBillableMonth, makeBillableMonth, makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { recordEvent } from '../../../events/events.ts'
import { readCsv } from '../../../files/csv.ts'
import { readZip } from '../../../files/zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { DATA_SET_SOURCES } from './data-set-sources.ts'
import { type ExportOrder, toDataSetQuery } from './export-order.ts'
import { finishExportFile, NO_PROGRESS, writeExportDraft } from './write-export.ts'

const server = useServer()
const folder = mkdtempSync(join(tmpdir(), 'voisol-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))
let actor: Actor
let count = 0

beforeAll(async () => {
  const { db } = server
  const admin = await makeUser(db)
  const { companyId, id: userId, email, firstName, lastName } = admin
  const about = { userId, sessionId: userId, companyId, email, firstName, lastName, keepsSite: false }
  actor = { ...about, kind: 'person', space: 'office', permissions, operationIds: null }
  const here = await makeBillableMonth(server, { companyId })
  await allocateBillableMonth(server, here)
  await issueMonthDocuments(withoutSubscribers(db), await makeMonthFixture(db, { companyId, prefix: 'Z1-' }))
  const pair = await makeSellerAndBuyer(db, { companyId })
  await pair.pay(1234)
  const { id: operationId } = await makeOperation(db, { companyId })
  await makeIssuedForecast(server, { companyId, operationId, issuedOn: '2026-05-04', middle: (hour) => 100 + hour })
  const data = { planId: userId, connectionId: userId, dataSet: 'audit', name: '=1+1' }
  const by = { job: 'exports.run', secrets: server.deps.secrets }
  await recordEvent(db, { companyId, name: 'export.unplanned', object: userId, data, by })
})

const PERIOD = { from: '2025-01-01', to: '2027-01-01' }
const NO_PERIOD = { from: null, to: null }
const orderFor = (
  dataSet: ExportOrder['dataSet'],
  format: ExportOrder['format'],
  dialect: ExportOrder['dialect'] = 'french',
): ExportOrder => ({
  dataSet,
  format,
  dialect,
  operationId: null,
  participantId: null,
  ...(['operations', 'participants', 'points'].includes(dataSet) ? NO_PERIOD : PERIOD),
})

async function fileOf(order: ExportOrder) {
  const place = join(folder, String(++count))
  const { deps } = server
  const written = await writeExportDraft({ deps, actor, order, folder: place, save: async () => true }, NO_PROGRESS)
  const rows = written?.rows ?? -1
  return { rows, bytes: readFileSync(await finishExportFile(order, rows, place)) }
}
const partOf = (zip: Buffer, end: string) =>
  readZip(zip)
    .find(({ name }) => name.endsWith(end))
    ?.read()
    .toString() ?? ''

/** The cells of a data set as JSON: the reference for the other formats. */
async function truthOf(dataSet: ExportOrder['dataSet']): Promise<Record<string, string | number | null>[]> {
  const { bytes } = await fileOf(orderFor(dataSet, 'json'))
  return JSON.parse(partOf(bytes, '.json'))
}
const texts = (row: Record<string, string | number | null>) => Object.values(row).map((cell) => String(cell ?? ''))

test.each(DATA_SET_IDS)('%s: every format holds the same rows and its dictionary', async (dataSet) => {
  const { columns, count: counted } = DATA_SET_SOURCES[dataSet]
  const truth = await truthOf(dataSet)
  expect(truth.length).toBeGreaterThan(0)
  expect(Object.keys(truth[0] ?? {})).toEqual(columns.map(({ name }) => name))
  const about = await counted(toDataSetQuery(server.db, actor, orderFor(dataSet, 'csv')))
  if (dataSet !== 'invoice-lines') expect(about).toBe(truth.length)

  const lines = await fileOf(orderFor(dataSet, 'jsonl'))
  expect(
    partOf(lines.bytes, '.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(truth)

  const rfc = await fileOf(orderFor(dataSet, 'csv', 'rfc'))
  expect(partOf(rfc.bytes, '.dictionary.csv').split('\r\n')).toHaveLength(columns.length + 2)
  expect(partOf(rfc.bytes, 'LISEZMOI.txt')).toContain(DATA_SET_SOURCES[dataSet].about)
  const [head = '', first = ''] = partOf(rfc.bytes, `${rfcName(dataSet)}.csv`).split('\r\n')
  expect(head).toBe(columns.map(({ name }) => name).join(','))
  expect(first).not.toBe('')

  const french = await fileOf(orderFor(dataSet, 'csv'))
  const [, ...cells] = readCsv(partOf(french.bytes, `${rfcName(dataSet)}.csv`))
  expect(cells.map((line) => line.cells.join('|').replaceAll(',', '.'))).toEqual(
    truth.map((row) => texts(row).join('|').trim().replaceAll(',', '.')),
  )

  const { bytes } = await fileOf(orderFor(dataSet, 'parquet'))
  const file = new Uint8Array(bytes).buffer
  const { num_rows, key_value_metadata } = parquetMetadata(file)
  expect(Number(num_rows)).toBe(truth.length)
  expect(JSON.parse(key_value_metadata?.[0]?.value ?? '').columns).toEqual(columns)
  const back = await parquetReadObjects({ file })
  expect(back.map((row) => texts(plain(row, dataSet)))).toEqual(truth.map(texts))

  const book = await readXlsx((await fileOf(orderFor(dataSet, 'xlsx'))).bytes)
  expect(book.sheets).toHaveLength(2)
  expect(book.sheets[0]?.rows).toHaveLength(truth.length + 1)
  expect(book.sheets[1]?.rows.slice(1).map(([name]) => name)).toEqual(columns.map(({ name }) => name))
})

const rfcName = (dataSet: ExportOrder['dataSet']) => {
  const { from, to } = orderFor(dataSet, 'csv')
  return [dataSet, from, to].filter(Boolean).join('-')
}

function plain(row: Record<string, unknown>, dataSet: ExportOrder['dataSet']) {
  const cells = DATA_SET_SOURCES[dataSet].columns.map(({ name, type }): [string, string | number | null] => {
    const cell = row[name]
    if (cell instanceof Date) {
      const [day = '', clock = ''] = cell.toISOString().split('T')
      return [name, type === 'day' ? day : `${day}T${clock.replace('.000', '')}`]
    }
    return [name, typeof cell === 'bigint' ? Number(cell) : ((cell as string | number | null) ?? null)]
  })
  return Object.fromEntries(cells)
}

test('Parquet stores a point number as text and an instant in UTC', async () => {
  const { bytes } = await fileOf(orderFor('readings', 'parquet'))
  const [row] = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
  expect(row?.prm).toMatch(/^\d{14}$/)
  expect(row?.at).toBeInstanceOf(Date)
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer)
  expect(schema.find(({ name }) => name === 'prm')?.type).toBe('BYTE_ARRAY')
  expect(
    schema.find(({ name }) => name === 'at')?.logical_type ?? schema.find(({ name }) => name === 'at')?.converted_type,
  ).toBeTruthy()
})
