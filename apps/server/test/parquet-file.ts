import { day, decimal, instant, integer, short, text } from '../src/features/administration/exports/data-set.ts'
import { encodeGroup, footerOf, MAGIC, shifted } from '../src/features/administration/exports/encode-parquet.ts'

/** One column of each kind. */
export const COLUMNS = [
  text('prm', 'Point'),
  day('on', 'Jour'),
  instant('at', 'Moment', 'UTC'),
  integer('exact', 'Exact', 'W·min'),
  short('watts', 'Puissance', 'W'),
  decimal('wh', 'Énergie', 'Wh'),
]

type Columns = Parameters<typeof encodeGroup>[0]
type Group = Parameters<typeof encodeGroup>[1]

/** The groups one after the other, as an export writes them. */
export function parquetFile(columns: Columns, groups: Group[], dictionary = '{}'): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [MAGIC]
  let place = MAGIC.length
  const known = groups.map((group) => {
    const { bytes, about } = encodeGroup(columns, group)
    parts.push(bytes)
    const found = shifted(about, place)
    place += bytes.length
    return found
  })
  return new Uint8Array(Buffer.concat([...parts, footerOf(columns, known, dictionary)]))
}
