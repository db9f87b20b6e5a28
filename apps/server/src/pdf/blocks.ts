import { inset, nextPage, room, roomLeft, type Sheet, space, tagged } from './document.ts'
import { type Brand, drawBrand, drawLogo, drawWord } from './frame.ts'
import { COLOURS, PAPER, PRODUCT } from './look.ts'
import { type Line, LOOKS, type Look, runsOf, type Words } from './runs.ts'
import { drawLine, linesOf } from './text.ts'

export type Align = 'start' | 'center' | 'end'
const SHIFT = { start: 0, center: 0.5, end: 1 }

export const heightOf = (lines: Line[], { size, leading }: Look) => lines.length * size * leading

/** Lines from `y` down, inside a column. */
export function drawLines(
  doc: PDFKit.PDFDocument,
  lines: Line[],
  look: Look,
  { x, y, width, align = 'start' }: { x: number; y: number; width: number; align?: Align },
) {
  const step = look.size * look.leading
  const first = y + step / 2 + look.size * 0.36
  for (const [at, line] of lines.entries())
    drawLine(doc, line, x + (width - line.width) * SHIFT[align], first + at * step)
}

/** Never a lone line at the foot or the head of a page. */
function fitting(total: number, fits: number) {
  if (fits >= total) return total
  const kept = total - fits === 1 ? fits - 1 : fits
  return kept < 2 ? 0 : kept
}

type Paragraph = { look?: Look; after?: number; align?: Align; kind?: string }

export function paragraph(sheet: Sheet, words: Words, options: Paragraph = {}) {
  const { look = LOOKS.body, after = 8, align = 'start', kind = 'P' } = options
  const step = look.size * look.leading
  let lines = linesOf(sheet.doc, runsOf(words, look), sheet.width)
  while (lines.length) {
    const count = fitting(lines.length, Math.floor(roomLeft(sheet) / step))
    if (count === 0) {
      nextPage(sheet)
      continue
    }
    const here = lines.slice(0, count)
    const { left: x, width, y } = sheet
    tagged(sheet, kind, () => drawLines(sheet.doc, here, look, { x, y, width, align }))
    sheet.y += here.length * step
    lines = lines.slice(count)
    if (lines.length) nextPage(sheet)
  }
  sheet.y += after
}

const HEADINGS = {
  1: { look: LOOKS.title, before: 0, after: 8 },
  2: { look: LOOKS.h2, before: 18, after: 6 },
  3: { look: LOOKS.h3, before: 12, after: 4 },
  4: { look: LOOKS.h4, before: 8, after: 2 },
} as const

type Heading = { keep?: number; name?: string }

/** `keep`: so much of what follows stays on its page. */
export function heading(sheet: Sheet, level: 1 | 2 | 3 | 4, words: Words, { keep = 60, name }: Heading = {}) {
  const { look, before, after } = HEADINGS[level]
  const { doc } = sheet
  const lines = linesOf(doc, runsOf(words, look), sheet.width)
  space(sheet, before)
  room(sheet, heightOf(lines, look) + after + keep)
  const { left: x, width, y } = sheet
  const title = typeof words === 'string' ? words : words.map(({ text }) => text).join('')
  if (name) doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 20), null)
  if (level <= 2) sheet.outline = doc.outline.addItem(title)
  else if (level === 3) sheet.outline?.addItem(title)
  tagged(sheet, `H${level}`, () => drawLines(doc, lines, look, { x, y, width }))
  sheet.y += heightOf(lines, look) + after
}

export function bullets(sheet: Sheet, items: Words[], look: Look = LOOKS.body) {
  for (const item of items) bullet(sheet, '•', () => paragraph(sheet, item, { look, after: 3, kind: 'P' }), look)
  sheet.y += 5
}

/** A mark in the margin of what `draw` writes. */
export function bullet(sheet: Sheet, mark: string, draw: () => void, look: Look = LOOKS.body, indent = 14) {
  room(sheet, look.size * look.leading * 2)
  const baseline = sheet.y + (look.size * look.leading) / 2 + look.size * 0.36
  const tone = mark === '•' ? { ...look, colour: COLOURS.faint } : { ...look, face: '600' as const }
  tagged(sheet, 'Lbl', () => drawWord(sheet.doc, mark, tone, sheet.left + (mark === '•' ? 3 : 0), baseline))
  inset(sheet, indent, draw)
}

/** Logo, title and what stands beneath it, on the first page; the company's own mark where it is its paper. */
export function opening(sheet: Sheet, title: string, under: string, right: string, brand?: Brand) {
  const { doc } = sheet
  sheet.y = 42
  tagged(
    sheet,
    'Figure',
    () => {
      if (brand) return drawBrand(doc, brand, { ...LOOKS.h2, face: '700' }, PAPER.left, sheet.y + 20)
      drawLogo(doc, PAPER.left, sheet.y, 26)
      drawWord(doc, PRODUCT, { ...LOOKS.h2, face: '700' }, PAPER.left + 34, sheet.y + 20)
    },
    { alt: brand?.name ?? PRODUCT },
  )
  tagged(sheet, 'P', () => drawWord(doc, right, LOOKS.label, PAPER.left + sheet.width, sheet.y + 19, 'end'))
  sheet.y += 46
  heading(sheet, 1, title)
  paragraph(sheet, under, { look: LOOKS.lead, after: 12 })
}
