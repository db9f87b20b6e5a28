import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import { zipTo } from '../../../files/zip-file.ts'
import { today } from '../../../today.ts'
import { dictionaryCsv, dictionaryJson, dictionaryRows, readme } from './dictionary.ts'
import { footerOf } from './encode-parquet.ts'
import { type Order, stemOf } from './order.ts'
import { SOURCES } from './table.ts'
import { draftOf, groupsIn } from './write.ts'

const ENDINGS = { csv: '', jsonl: '', json: '\n]\n' }
/** Others get their turn in between. */
const AT_ONCE = 500

type Line = (string | number | null)[]
/** The rows, then on a sheet of its own what their columns mean. */
async function* sheetRows(order: Order, draft: string): AsyncGenerator<Line> {
  yield SOURCES[order.dataSet].columns.map(({ name }) => name)
  let row = 0
  for await (const line of createInterface({ input: createReadStream(draft) })) {
    yield JSON.parse(line) as Line // what rowLines wrote
    if (++row % AT_ONCE === 0) await setImmediate()
  }
  yield* dictionaryRows(order)
}

/** Small enough to be made at once, with a sheet of its own for the dictionary. */
const SMALL = 20_000

async function workbook(order: Order, rows: number, draft: string, path: string) {
  const name = DATA_SETS[order.dataSet].label.split(',')[0]?.slice(0, 28) ?? order.dataSet
  const freezePane = { rows: 1 }
  if (rows <= SMALL) {
    const lines = await Array.fromAsync(sheetRows(order, draft))
    const about = lines.splice(rows + 1)
    const sheets = [
      { name, rows: lines, freezePane },
      { name: 'Dictionnaire', rows: about, freezePane },
    ]
    return writeFile(path, await writeXlsx({ sheets }), { mode: 0o600 })
  }
  // A sheet is full after the last row: the dictionary begins the next one.
  const sheet = { name, freezePane, maxRowsPerSheet: rows + 1, repeatHeaders: false }
  const content = writeXlsxStream(sheetRows(order, draft), sheet)
  await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
}

/** Makes of a draft the file that leaves, with its dictionary; made again it is the same. Gives its path. */
export async function finish(order: Order, rows: number, folder: string): Promise<string> {
  const draft = draftOf(folder)
  const path = join(folder, 'whole')
  if (order.format === 'xlsx') {
    await workbook(order, rows, draft, path)
    return path
  }
  if (order.format === 'parquet') {
    await appendFile(draft, footerOf(SOURCES[order.dataSet].columns, await groupsIn(folder), dictionaryJson(order)))
    return draft
  }
  await appendFile(draft, ENDINGS[order.format])
  const on = today()
  const stem = stemOf(order)
  await zipTo(path, [
    { name: 'LISEZMOI.txt', text: readme(order, rows), on },
    { name: `${stem}.dictionary.csv`, text: dictionaryCsv(order), on },
    { name: `${stem}.${order.format}`, path: draft, on },
  ])
  return path
}
