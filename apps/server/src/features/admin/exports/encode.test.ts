import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { buildParquetFile, PARQUET_COLUMNS } from '../../../../test/parquet-file.ts'
import { readCsv } from '../../../files/csv.ts'
import { type ColumnTable, decimalColumn, instantColumn, int32Column, textColumn, toColumnTable } from './data-set.ts'
import { formatCsvHead, formatPreviewRows } from './encode-csv-and-json.ts'
import encodeTask from './encode-task.ts'
import { packDays } from './packed-days.ts'

const fileOf = (groups: ColumnTable[]) => buildParquetFile(PARQUET_COLUMNS, groups, '{"dataSet":"readings"}').buffer

test('Parquet keeps row groups, point numbers as text, exact integers and nulls', async () => {
  const one = {
    prm: '00125759625988',
    on: '2026-05-01',
    at: new Date('2026-05-01T10:00:00Z'),
    exact: 741,
    watts: 12,
    wh: 1.5,
  }
  const two = { ...one, prm: '19125759625988', exact: 9_007_199_254_740_991, watts: null, wh: null }
  const file = fileOf([toColumnTable(PARQUET_COLUMNS, [one]), toColumnTable(PARQUET_COLUMNS, [two, one])])
  expect(await parquetReadObjects({ file })).toEqual([
    { ...one, on: new Date('2026-05-01'), exact: 741n },
    { ...two, on: new Date('2026-05-01'), exact: 9_007_199_254_740_991n },
    { ...one, on: new Date('2026-05-01'), exact: 741n },
  ])
  const { num_rows, key_value_metadata } = parquetMetadata(file)
  expect(num_rows).toBe(3n)
  expect(key_value_metadata).toEqual([{ key: 'voisol.dictionary', value: '{"dataSet":"readings"}' }])
})

test('Parquet returns every cell value that was written', async () => {
  const row = fc.record({
    prm: fc.oneof(fc.string(), fc.constant(null)),
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => new Date(ms)),
    exact: fc.oneof(fc.maxSafeInteger(), fc.constant(null)),
    watts: fc.oneof(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }), fc.constant(null)),
    wh: fc.oneof(fc.double({ noNaN: true }), fc.constant(null)),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 }),
      async (all) => {
        const file = fileOf(
          all.map((rows) =>
            toColumnTable(
              PARQUET_COLUMNS,
              rows.map((one) => ({ ...one, on: null })),
            ),
          ),
        )
        const back = await parquetReadObjects({ file })
        expect(back).toEqual(
          all.flat().map((one) => ({ ...one, on: null, exact: one.exact === null ? null : BigInt(one.exact) })),
        )
      },
    ),
    { numRuns: 60 },
  )
})

const DAYS = packDays(
  [
    {
      line: 0,
      day: '2026-03-29',
      step: 60,
      values: Int32Array.from({ length: 23 }, (_, n) => n),
      marks: null,
      quality: 1,
    },
    {
      line: 1,
      day: '2026-10-25',
      step: 60,
      values: Int32Array.from({ length: 25 }, () => -1),
      marks: null,
      quality: 1,
    },
  ],
  [
    ['00125759625988', '19125759625988'],
    ['consumption', 'production'],
  ],
  true,
)
const READING = [
  textColumn('prm', ''),
  textColumn('direction', ''),
  instantColumn('at', ''),
  int32Column('step', ''),
  int32Column('watts', ''),
  textColumn('quality', ''),
]

test('packed days expand step by step across clock changes, and a gap is not zero', () => {
  const rows = formatPreviewRows(READING, DAYS, 100)
  expect(rows).toHaveLength(48)
  expect(rows[0]).toEqual(['00125759625988', 'consumption', '2026-03-28T23:00:00Z', '60', '0', 'raw'])
  expect(rows[22]).toEqual(['00125759625988', 'consumption', '2026-03-29T21:00:00Z', '60', '22', 'raw'])
  expect(rows[23]).toEqual(['19125759625988', 'production', '2026-10-24T22:00:00Z', '60', '', 'missing'])
  expect(rows[47]?.[2]).toBe('2026-10-25T22:00:00Z')
})

const textOf = (
  data: ColumnTable,
  format: 'csv' | 'jsonl' | 'json' | 'xlsx',
  dialect: 'french' | 'rfc',
  further = false,
) =>
  Buffer.from(
    encodeTask({ columns: [textColumn('a', ''), decimalColumn('b', '')], data, format, dialect, further }).value.bytes,
  ).toString()

test('the CSV dialects differ in separator and decimal sign, and both quote formulas as text', () => {
  const data = toColumnTable(
    [textColumn('a', ''), decimalColumn('b', '')],
    [
      { a: '=1+1;x', b: -1.5 },
      { a: 'dit "oui", non', b: null },
    ],
  )
  expect(textOf(data, 'csv', 'french')).toBe(`"'=1+1;x";-1,5\r\n"dit ""oui"", non";\r\n`)
  expect(textOf(data, 'csv', 'rfc')).toBe(`'=1+1;x,-1.5\r\n"dit ""oui"", non",\r\n`)
  expect(formatCsvHead([textColumn('a', ''), textColumn('b', '')], 'french')).toBe('\uFEFFa;b\r\n')
  expect(formatCsvHead([textColumn('a', ''), textColumn('b', '')], 'rfc')).toBe('a,b\r\n')
  expect(readCsv(`a;b\r\n${textOf(data, 'csv', 'french')}`)[2]?.cells).toEqual(['dit "oui", non', ''])
})

test('each JSON Lines row is valid alone, and parts of a JSON array join into one', () => {
  const data = toColumnTable(
    [textColumn('a', ''), decimalColumn('b', '')],
    [
      { a: 'é', b: 2 },
      { a: null, b: 0.5 },
    ],
  )
  expect(
    textOf(data, 'jsonl', 'french')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { a: 'é', b: 2 },
    { a: null, b: 0.5 },
  ])
  const array = `[${textOf(data, 'json', 'french')}${textOf(data, 'json', 'french', true)}\n]`
  expect(JSON.parse(array)).toHaveLength(4)
})
