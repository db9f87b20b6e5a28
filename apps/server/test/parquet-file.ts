import {
  dayColumn,
  decimalColumn,
  instantColumn,
  int32Column,
  integerColumn,
  textColumn,
} from '../src/features/admin/exports/data-set.ts'
import {
  buildParquetFooter,
  encodeGroup,
  PARQUET_MAGIC,
  shiftGroup,
} from '../src/features/admin/exports/encode-parquet.ts'

/** One column of each type. */
export const PARQUET_COLUMNS = [
  textColumn('prm', 'Point'),
  dayColumn('on', 'Jour'),
  instantColumn('at', 'Moment', 'UTC'),
  integerColumn('exact', 'Exact', 'W·min'),
  int32Column('watts', 'Puissance', 'W'),
  decimalColumn('wh', 'Énergie', 'Wh'),
]

type Columns = Parameters<typeof encodeGroup>[0]
type Group = Parameters<typeof encodeGroup>[1]

/** Row groups one after the other, as an export writes them. */
export function buildParquetFile(columns: Columns, groups: Group[], dictionary = '{}'): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [PARQUET_MAGIC]
  let offset = PARQUET_MAGIC.length
  const known = groups.map((group) => {
    const { bytes, about } = encodeGroup(columns, group)
    parts.push(bytes)
    const found = shiftGroup(about, offset)
    offset += bytes.length
    return found
  })
  return new Uint8Array(Buffer.concat([...parts, buildParquetFooter(columns, known, dictionary)]))
}
