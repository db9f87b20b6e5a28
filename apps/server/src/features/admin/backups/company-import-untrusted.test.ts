import { expect, test } from 'vitest'
import { buildArchiveRows } from '../../../../test/archive-rows.ts'
import { buildTableEntry, CREATED_AT, packUnsignedArchive } from '../../../../test/archives.ts'
import { type ArchiveRow, COMPANY_ARCHIVE, isIgnored } from '../../../db/schema/company-archive/company-archive.ts'
import { IMPORT_COLUMN_NAMES } from '../../energy/participants/parse-participant-file.ts'
import { readCompanyArchive } from './read-archive.ts'

const ROWS = buildArchiveRows({
  family: 'elsewhere',
  mark: 'Tilleul',
  prmStart: '19000001',
  iban: 'FR7630006000011234567890189',
})

/** What would be written of an archive that nobody trusted signed, by table. */
async function readUntrusted(changed: Record<string, ArchiveRow[]> = {}): Promise<Record<string, ArchiveRow[]>> {
  const zip = await packUnsignedArchive(
    Object.entries({ ...ROWS, ...changed }).map(([name, rows]) => buildTableEntry(name, rows)),
  )
  const { tables, accounts, files } = readCompanyArchive(zip, { trusted: [], keep: true })
  expect([accounts.documents, accounts.balances, files]).toEqual([[], [], []])
  const written = tables.filter(({ rows }) => rows > 0)
  const read = (batch: Uint8Array): ArchiveRow[] => JSON.parse(Buffer.from(batch).toString()) // written by the reading
  return Object.fromEntries(written.map(({ table, batches }) => [table, batches.flatMap(read)]))
}

/** What a file of readings says of a day, and what is computed of it or set by whoever imports it. */
const READINGS = ['point_id', 'day', 'step', 'watts', 'marks', 'quality']
const COMPUTED = ['present', 'expected', 'energy', 'peak', 'source', 'version', 'received_at']

const toColumnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** The columns that a file of participants fills; its role says whether a point is of a battery. */
const PARTICIPANT_FILE = ['id', 'storage', ...IMPORT_COLUMN_NAMES.map(toColumnName)]

test('an archive that nobody trusted signed brings participants, points and readings, in the columns that a file import fills', async () => {
  const { participants = [], points = [], curve_days = [], ...others } = await readUntrusted()
  expect(others).toEqual({})
  expect([participants, points, curve_days].map(({ length }) => length)).toEqual([1, 2, 1])
  for (const row of [...participants, ...points])
    expect(Object.keys(row).filter((column) => !PARTICIPANT_FILE.includes(column))).toEqual([])
  expect(Object.keys(curve_days[0] ?? {}).sort()).toEqual([...READINGS, ...COMPUTED].sort())
  expect(curve_days[0]).toMatchObject({ source: 'import', version: 1 })
  expect(curve_days[0]?.received_at).not.toBe(CREATED_AT)
})

test('a table that any archive may bring names columns that are stored, and a table without such columns brings nothing', () => {
  const anybody = Object.entries(COMPANY_ARCHIVE).flatMap(([name, { from, columns }]) => {
    if (from === 'trusted') return []
    const stored = Object.entries(columns).flatMap(([column, rule]) => (isIgnored(rule) ? [] : [column]))
    return [{ name, unknown: from.columns.filter((column) => !stored.includes(column)) }]
  })
  expect(anybody).toEqual(['participants', 'points', 'curve_days'].map((name) => ({ name, unknown: [] })))
})

test('a day of readings that a later one replaced stays in an archive that nobody trusted signed', async () => {
  const [day] = ROWS.curve_days ?? []
  const { curve_days } = await readUntrusted({ curve_days: [{ ...day, superseded_at: CREATED_AT }] })
  expect(curve_days).toBeUndefined()
})
