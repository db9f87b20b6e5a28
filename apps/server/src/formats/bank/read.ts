import type { BankColumns } from '@voisol/contract/bank'
import { getRootName } from '../xml.ts'
import { parseCamt053, parseCamt054, parsePain002 } from './camt.ts'
import { findTitleLine, parseTableLines, proposeColumns } from './table.ts'
import { parseXmlTree } from './tree.ts'
import { BankFileRefusedError, type BankMessage, type BankTableReader } from './types.ts'

export type TablePreview = { titles: string[]; sample: string[][]; columns: BankColumns }

const READERS: [RegExp, (root: ReturnType<typeof parseXmlTree>) => BankMessage][] = [
  [/camt\.053\.001\.\d\d|BkToCstmrStmt/, parseCamt053],
  [/camt\.054\.001\.\d\d|BkToCstmrDbtCdtNtfctn/, parseCamt054],
  [/pain\.002\.001\.\d\d|CstmrPmtStsRpt/, parsePain002],
]
const EXPECTED =
  'Attendu\u00a0: un relevé camt.053, un avis camt.054, un compte rendu pain.002 (XML), ou un tableau CSV ou Excel.'

const startsAs = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
function isXml(bytes: Uint8Array): boolean {
  if (startsAs(bytes, 0x25, 0x50, 0x44, 0x46))
    throw new BankFileRefusedError(`Ce fichier est un document PDF, pas un relevé que l’on peut lire. ${EXPECTED}`)
  const head = new TextDecoder().decode(bytes.subarray(0, 200)).replace(/^\ufeff/, '')
  return /^\s*</.test(head)
}

function parseXml(bytes: Uint8Array): BankMessage {
  const encoding = /encoding=["']([\w-]+)["']/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 200)))?.[1]
  const text = new TextDecoder(/8859|1252/.test(encoding ?? '') ? 'windows-1252' : 'utf-8').decode(bytes)
  const head = text.slice(0, 4000)
  const reader = READERS.find(([mark]) => mark.test(head))?.[1]
  if (!reader)
    throw new BankFileRefusedError(
      `Ce fichier XML (${getRootName(head).slice(0, 40) || 'sans racine'}) n’est pas un message de banque connu. ${EXPECTED}`,
    )
  return reader(parseXmlTree(text))
}

/** What a bank's file says; a table is read by the columns of its account, and waits for them where there are none. */
export async function parseBankFile(
  bytes: Uint8Array,
  columns: BankColumns | null,
  readTable: BankTableReader,
): Promise<BankMessage> {
  if (isXml(bytes)) return parseXml(bytes)
  if (!columns)
    throw new BankFileRefusedError(
      'Ce tableau est le premier de ce compte\u00a0: dites d’abord quelle colonne contient le jour, le libellé et le montant.',
    )
  return parseTableLines(await readTable(bytes), columns)
}

/** The titles of a table, a few of its lines, and what they seem to say. */
export async function previewTable(bytes: Uint8Array, readTable: BankTableReader): Promise<TablePreview | null> {
  if (isXml(bytes)) return null
  const lines = await readTable(bytes)
  const head = findTitleLine(lines) ?? lines.find(({ cells }) => cells.filter(Boolean).length > 2)
  if (!head) throw new BankFileRefusedError(`Ce fichier n’a pas de ligne de titres. ${EXPECTED}`)
  const titles = head.cells.map((cell) => cell.trim())
  const sample = lines.filter(({ line }) => line > head.line).slice(0, 5)
  return { titles, sample: sample.map(({ cells }) => cells), columns: proposeColumns(titles) }
}
