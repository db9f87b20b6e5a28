import { parquetReadObjects } from 'hyparquet'
import { readParquet, writeParquet } from 'parquet-wasm/node'
import { expect, test } from 'vitest'
import { buildParquetFile, PARQUET_COLUMNS } from '../../../../test/parquet-file.ts'
import { instantColumn, int32Column, textColumn, toColumnTable } from './data-set.ts'
import { packDays } from './packed-days.ts'

/** Reads the file with another implementation (Apache Arrow, in Rust), writes it again with it and reads the result. */
const rewriteAndRead = (file: Uint8Array) => {
  const table = readParquet(file)
  return parquetReadObjects({ file: new Uint8Array(writeParquet(table)).buffer })
}

test('Apache Arrow reads the same texts, days, instants, integers and nulls', async () => {
  const one = {
    prm: '00125759625988',
    on: '2026-05-01',
    at: new Date('2026-05-01T10:00:00Z'),
    exact: 9_007_199_254_740_991,
    watts: 12,
    wh: 1.5,
  }
  const none = { prm: null, on: null, at: null, exact: null, watts: null, wh: null }
  const file = buildParquetFile(PARQUET_COLUMNS, [
    toColumnTable(PARQUET_COLUMNS, [one, none]),
    toColumnTable(PARQUET_COLUMNS, [none, { ...one, prm: 'é' }]),
  ])
  const first = { ...one, on: new Date('2026-05-01'), exact: 9_007_199_254_740_991n }
  expect(await rewriteAndRead(file)).toEqual([first, none, none, { ...first, prm: 'é' }])
})

test('Apache Arrow reads the same daily readings in bulk export encoding, across a clock change', async () => {
  const columns = [
    textColumn('prm', ''),
    textColumn('direction', ''),
    instantColumn('at', ''),
    int32Column('step', ''),
    int32Column('watts', ''),
    textColumn('quality', ''),
  ]
  const values = Int32Array.from({ length: 92 }, (_, at) => (at === 7 ? -1 : at * 31))
  const days = () =>
    packDays(
      [{ line: 0, day: '2026-03-29', step: 15, values, marks: null, quality: 1 }],
      [['00125759625988'], ['consumption']],
      true,
    )
  const file = buildParquetFile(columns, [days(), days()])
  const rows = await rewriteAndRead(file)
  expect(rows).toHaveLength(184)
  expect(rows).toEqual(await parquetReadObjects({ file: file.buffer }))
  expect(rows[7]).toMatchObject({ watts: null, quality: 'missing' })
  expect(rows[8]).toMatchObject({ at: new Date('2026-03-29T01:00:00Z'), watts: 248 })
})
