import { z } from 'zod'
import { compactIban, findIbanError } from '../../../core/iban.ts'
import {
  type ArchiveRow,
  type ArchiveTable,
  isIgnored,
  isReference,
  isSealedIban,
  MAX_ROWS,
} from '../../../db/schema/company-archive/company-archive.ts'
import type { ReadableZipEntry } from '../../../files/read-zip.ts'
import { formatFrenchNumber } from '../../../french.ts'
import { getMaxUnpackedBytes, MAX_LINE_CHARACTERS, MAX_PART_BYTES, MAX_TABLE_BYTES } from './archive-limits.ts'
import { CopyFault } from './fault.ts'
import type { OpenArchive } from './open-archive.ts'

/** The ids of the rows read so far, by table: what another row may refer to. */
export type KnownIds = Map<string, Set<string>>
export type ArchiveLine = { file: string; number: number; text: string }

/** Nothing is imported by halves: the first fault ends it, and says where it stands. */
export function refuseLine({ file, number }: ArchiveLine, sentence: string): never {
  throw new CopyFault(`${file}, ligne ${number}\u00a0: ${sentence} Rien n’a été repris.`)
}

const COLUMN_NAME = /^[a-z_]{1,60}$/
const FIELD_NAME = /^[A-Za-z_]{1,60}$/

/** What is wrong, in words that hold nothing of the archive but short plain names: it may name a column by millions of characters. */
function describeIssue({ path, ...issue }: z.core.$ZodIssue): string {
  const where = path
    .map((name) => (typeof name === 'number' || FIELD_NAME.test(String(name)) ? String(name) : '…'))
    .join('.')
  const prefix = where ? `${where}\u00a0: ` : ''
  if (issue.code !== 'unrecognized_keys') return prefix + (issue.message || 'valeur inattendue')
  const [name = ''] = issue.keys
  return `${prefix}colonne inconnue${COLUMN_NAME.test(name) ? `\u00a0: ${name}` : ''}.`
}

const addFinalStop = (sentence: string) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

export function parseLine<S extends z.ZodType>(schema: S, line: ArchiveLine): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    return refuseLine(line, 'format JSON invalide.')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuseLine(line, addFinalStop(issue ? describeIssue(issue) : 'valeur inattendue'))
}

/** Reads the lines of a table one after the other, within what one import may read in all. */
export function createLineReader({ bytes, parts, unpack }: OpenArchive) {
  let bytesLeft = getMaxUnpackedBytes(bytes, MAX_TABLE_BYTES)
  function* linesOfPart(file: ReadableZipEntry): Generator<ArchiveLine> {
    const text = unpack(file, Math.min(MAX_PART_BYTES, bytesLeft)).toString()
    bytesLeft -= file.size
    for (let at = 0, number = 1; at < text.length; number++) {
      const end = text.indexOf('\n', at)
      const line = { file: file.name, number, text: text.slice(at, end < 0 ? undefined : end) }
      at = end < 0 ? text.length : end + 1
      if (line.text.length > MAX_LINE_CHARACTERS) refuseLine(line, 'elle est trop longue.')
      if (line.text.includes('\\u0000')) refuseLine(line, 'le caractère nul n’est pas permis.')
      if (line.text) yield line
    }
  }
  return function* readLines(table: string, maxRows = MAX_ROWS): Generator<ArchiveLine> {
    let rows = 0
    for (const part of parts(table))
      for (const line of linesOfPart(part)) {
        if (++rows > maxRows) refuseLine(line, `une archive en contient ${formatFrenchNumber(maxRows)} au plus.`)
        yield line
      }
  }
}

const Iban = z
  .string()
  .max(60)
  .transform(compactIban)
  .superRefine((iban, context) => {
    const message = findIbanError(iban)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The contract of one row: every column of the table, and no other. */
function buildRowSchema({ columns }: ArchiveTable) {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, column] of Object.entries(columns)) {
    if (isReference(column)) shape[name] = column.optional ? z.uuid().nullable() : z.uuid()
    else if (isSealedIban(column)) shape[name] = column.optional ? Iban.nullable() : Iban
    else shape[name] = isIgnored(column) ? z.unknown() : column
  }
  return z.strictObject(shape)
}

/** A parser of the rows of a table, which gives each as it is written: nothing that is ignored, and what follows computed. */
export function createRowParser(table: ArchiveTable, known: KnownIds) {
  const contract = buildRowSchema(table)
  const { columns, check, derive } = table
  const references = Object.entries(columns).flatMap(([name, column]) =>
    isReference(column) ? [[name, column.refersTo] as const] : [],
  )
  const storedColumns = Object.keys(columns).filter((name) => !isIgnored(columns[name] ?? z.unknown()))
  const requireKnown = (line: ArchiveLine, target: string, id: unknown) => {
    if (typeof id === 'string' && !known.get(target)?.has(id))
      refuseLine(line, `elle fait référence à ${id} (${target}), absent de l’archive.`)
  }
  return (line: ArchiveLine): ArchiveRow => {
    const parsed: ArchiveRow = parseLine(contract, line)
    for (const [name, target] of references) requireKnown(line, target, parsed[name])
    for (const [target, id] of table.refersTo?.(parsed) ?? []) requireKnown(line, target, id)
    const fault = check?.(parsed)
    if (fault) refuseLine(line, addFinalStop(fault))
    const row: ArchiveRow = {}
    for (const name of storedColumns) row[name] = parsed[name]
    return derive ? { ...row, ...derive(parsed) } : row
  }
}
