import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import { writeZipFile } from '../../../files/zip-file.ts'
import { getToday } from '../../../today.ts'
import { buildDictionaryCsv, buildDictionaryJson, buildDictionaryRows, buildExportReadme } from './dictionary.ts'
import { buildParquetFooter } from './encode-parquet.ts'
import { type ExportOrder, getFileStem } from './order.ts'
import { DATA_SET_SOURCES } from './table.ts'
import { getDraftPath, loadGroups } from './write.ts'

const FILE_ENDINGS = { csv: '', jsonl: '', json: '\n]\n' }
/** Yields to other requests in between. */
const ROWS_PER_TURN = 500

type SheetRow = (string | number | null)[]
/** The data rows, then the data dictionary on a sheet of its own. */
async function* streamSheetRows(order: ExportOrder, draft: string): AsyncGenerator<SheetRow> {
  yield DATA_SET_SOURCES[order.dataSet].columns.map(({ name }) => name)
  let row = 0
  for await (const line of createInterface({ input: createReadStream(draft) })) {
    yield JSON.parse(line) as SheetRow // written by formatRowLines
    if (++row % ROWS_PER_TURN === 0) await setImmediate()
  }
  yield* buildDictionaryRows(order)
}

/** Small enough to be built in memory, with a sheet of its own for the dictionary. */
const MAX_IN_MEMORY_ROWS = 20_000

async function writeWorkbook(order: ExportOrder, rows: number, draft: string, path: string) {
  const name = DATA_SETS[order.dataSet].label.split(',')[0]?.slice(0, 28) ?? order.dataSet
  const freezePane = { rows: 1 }
  if (rows <= MAX_IN_MEMORY_ROWS) {
    const lines = await Array.fromAsync(streamSheetRows(order, draft))
    const about = lines.splice(rows + 1)
    const sheets = [
      { name, rows: lines, freezePane },
      { name: 'Dictionnaire', rows: about, freezePane },
    ]
    return writeFile(path, await writeXlsx({ sheets }), { mode: 0o600 })
  }
  // The sheet is full after the last row, so that the dictionary begins the next one.
  const sheet = { name, freezePane, maxRowsPerSheet: rows + 1, repeatHeaders: false }
  const content = writeXlsxStream(streamSheetRows(order, draft), sheet)
  await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600 }))
}

/** Turns a draft into the final file with its dictionary, and returns its path. Repeating it gives the same file. */
export async function finishExportFile(order: ExportOrder, rows: number, folder: string): Promise<string> {
  const draft = getDraftPath(folder)
  const path = join(folder, 'whole')
  if (order.format === 'xlsx') {
    await writeWorkbook(order, rows, draft, path)
    return path
  }
  if (order.format === 'parquet') {
    await appendFile(
      draft,
      buildParquetFooter(DATA_SET_SOURCES[order.dataSet].columns, await loadGroups(folder), buildDictionaryJson(order)),
    )
    return draft
  }
  await appendFile(draft, FILE_ENDINGS[order.format])
  const on = getToday()
  const stem = getFileStem(order)
  await writeZipFile(path, [
    { name: 'LISEZMOI.txt', text: buildExportReadme(order, rows), on },
    { name: `${stem}.dictionary.csv`, text: buildDictionaryCsv(order), on },
    { name: `${stem}.${order.format}`, path: draft, on },
  ])
  return path
}
