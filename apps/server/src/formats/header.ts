import { frenchNumber, NBSP } from '../french.ts'
import { isEdf } from './edf.ts'
import { refuse } from './foreign.ts'
import { isHdm } from './hdm.ts'
import { layoutOf, splitTitles, startsRow } from './layout.ts'
import { MAX_COLUMNS } from './limits.ts'
import { isR63 } from './r63.ts'
import { separatorOf } from './rows.ts'
import type { Source, TextBytes } from './text.ts'

/** A header of as many points as are read, and then some. */
const MAX_HEADER = MAX_COLUMNS * 40
/** Titles, addresses and notes that may stand above the names of the columns. */
const MOST_TITLES = 60

type Found = Pick<Source, 'from' | 'header' | 'headerLine' | 'separator'>

/** Where the names of the columns are: below empty lines, the `sep=;` of some spreadsheets, and titles. */
export function findHeader(text: TextBytes): Found {
  let first: Found | null = null
  let likely: Found | null = null
  let line = 1
  for (let from = 0; from < text.bytes.length && line <= MOST_TITLES; line++) {
    const header = headerAt(text, from)
    const next = nextLine(text, from)
    const found = { from, header, headerLine: line, separator: separatorOf(header) }
    from = next
    if (header.trim() === '' || /^"?sep=/i.test(header)) continue
    first ??= found
    if (isHdm(header) || isR63(header) || isEdf(header)) return found
    if (!isTable(found)) continue
    likely ??= found
    if (startsRow(titlesOf(found), rowBelow(text, next), found.separator)) return found
  }
  return likely ?? first ?? { from: 0, header: '', headerLine: 1, separator: separatorOf('') }
}

const titlesOf = ({ header, separator }: Found) => splitTitles(header, separator)
export const isTable = (found: Pick<Found, 'header' | 'separator'>) =>
  layoutOf(splitTitles(found.header, found.separator)) !== null

function nextLine({ bytes }: TextBytes, from: number): number {
  const end = bytes.indexOf(10, from)
  return end === -1 ? bytes.length : end + 1
}

/** The first line below that is not empty. */
function rowBelow(text: TextBytes, from: number): string {
  for (let at = from, tries = 0; at < text.bytes.length && tries < 5; at = nextLine(text, at), tries++) {
    const line = headerAt(text, at)
    if (line.replace(/[;,\t"]/g, '').trim() !== '') return line
  }
  return ''
}

export function headerAt({ bytes, decode }: TextBytes, from: number): string {
  const newline = bytes.indexOf(10, from)
  const end = newline === -1 ? bytes.length : newline
  if (end - from > MAX_HEADER)
    throw refuse(
      `La première ligne de ce fichier est démesurée${NBSP}: au plus ${frenchNumber(MAX_COLUMNS)} colonnes sont lues.`,
    )
  return decode(from, end)
}
