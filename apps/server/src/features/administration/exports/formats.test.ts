import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataSetIds } from '@voisol/contract/data-sets'
import { permissions } from '@voisol/contract/permissions'
import { readXlsx } from 'hucre/xlsx'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { billable, computeFor } from '../../../../test/factories-billing.ts'
import { makeIssue } from '../../../../test/factories-forecasts.ts'
import { issueMonth, makeMonth, quietly } from '../../../../test/factories-invoices.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { makePair } from '../../../../test/factories-payments.ts'
import { useServer } from '../../../../test/server.ts'
import { record } from '../../../core/events.ts'
import { readCsv } from '../../../files/csv.ts'
import { readZip } from '../../../files/read-zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { finish } from './finish.ts'
import { askingOf, type Order } from './order.ts'
import { SOURCES } from './table.ts'
import { NOTHING, writeDraft } from './write.ts'

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
  const here = await billable(server, { companyId })
  await computeFor(server, here)
  await issueMonth(quietly(db), await makeMonth(db, { companyId, prefix: 'Z1-' }))
  const pair = await makePair(db, { companyId })
  await pair.pay(1234)
  const { id: operationId } = await makeOperation(db, { companyId })
  await makeIssue(server, { companyId, operationId, issuedOn: '2026-05-04', middle: (hour) => 100 + hour })
  const data = { planId: userId, connectionId: userId, dataSet: 'audit', name: '=1+1' }
  const by = { job: 'exports.run', secrets: server.deps.secrets }
  await record(db, { companyId, name: 'export.unplanned', object: userId, data, by })
}, 180_000)

const PERIOD = { from: '2025-01-01', to: '2027-01-01' }
const NO_PERIOD = { from: null, to: null }
const orderFor = (dataSet: Order['dataSet'], format: Order['format'], dialect: Order['dialect'] = 'french'): Order => ({
  dataSet,
  format,
  dialect,
  operationId: null,
  participantId: null,
  ...(['operations', 'participants', 'points'].includes(dataSet) ? NO_PERIOD : PERIOD),
})

async function fileOf(order: Order) {
  const place = join(folder, String(++count))
  const { deps } = server
  const written = await writeDraft({ deps, actor, order, folder: place, save: async () => true }, NOTHING)
  const rows = written?.rows ?? -1
  return { rows, bytes: readFileSync(await finish(order, rows, place)) }
}
const partOf = (zip: Buffer, end: string) =>
  readZip(zip)
    .find(({ name }) => name.endsWith(end))
    ?.read()
    .toString() ?? ''

/** The cells of a set as JSON has them: what the other formats are held against. */
async function truthOf(dataSet: Order['dataSet']): Promise<Record<string, string | number | null>[]> {
  const { bytes } = await fileOf(orderFor(dataSet, 'json'))
  return JSON.parse(partOf(bytes, '.json'))
}
const texts = (row: Record<string, string | number | null>) => Object.values(row).map((cell) => String(cell ?? ''))

test.each(dataSetIds)(
  '%s: every format holds the same rows, and its dictionary',
  async (dataSet) => {
    const { columns, count: counted } = SOURCES[dataSet]
    const truth = await truthOf(dataSet)
    expect(truth.length).toBeGreaterThan(0)
    expect(Object.keys(truth[0] ?? {})).toEqual(columns.map(({ name }) => name))
    const about = await counted(askingOf(server.db, actor, orderFor(dataSet, 'csv')))
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
    expect(partOf(rfc.bytes, 'LISEZMOI.txt')).toContain(SOURCES[dataSet].about)
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
  },
  120_000,
)

const rfcName = (dataSet: Order['dataSet']) => {
  const { from, to } = orderFor(dataSet, 'csv')
  return [dataSet, from, to].filter(Boolean).join('-')
}

function plain(row: Record<string, unknown>, dataSet: Order['dataSet']) {
  const cells = SOURCES[dataSet].columns.map(({ name, type }): [string, string | number | null] => {
    const cell = row[name]
    if (cell instanceof Date) {
      const [day = '', clock = ''] = cell.toISOString().split('T')
      return [name, type === 'day' ? day : `${day}T${clock.replace('.000', '')}`]
    }
    return [name, typeof cell === 'bigint' ? Number(cell) : ((cell as string | number | null) ?? null)]
  })
  return Object.fromEntries(cells)
}

test('a number of a point is a text in Parquet, a moment is UTC', async () => {
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
