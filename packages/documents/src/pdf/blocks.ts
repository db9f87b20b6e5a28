import { addGap, addPage, drawInset, drawTagged, ensureSpace, getSpaceLeft, type PdfWriter } from './document.ts'
import { type Brand, drawBrand, drawLogo, drawText } from './frame.ts'
import { COLOURS, PAGE_LAYOUT, PRODUCT_NAME } from './style.ts'
import { breakLines, drawLine, type RichText, TEXT_STYLES, type TextLine, type TextStyle, toTextRuns } from './text.ts'

export type TextAlign = 'start' | 'center' | 'end'
const ALIGN_SHIFT = { start: 0, center: 0.5, end: 1 }

export const measureHeight = (lines: TextLine[], { size, leading }: TextStyle) => lines.length * size * leading

/** Draws lines from `y` down, within a column. */
export function drawLines(
  doc: PDFKit.PDFDocument,
  lines: TextLine[],
  look: TextStyle,
  { x, y, width, align = 'start' }: { x: number; y: number; width: number; align?: TextAlign },
) {
  const step = look.size * look.leading
  const first = y + step / 2 + look.size * 0.36
  for (const [at, line] of lines.entries())
    drawLine(doc, line, x + (width - line.width) * ALIGN_SHIFT[align], first + at * step)
}

/** Never leaves a single line at the bottom or the top of a page. */
function countFittingLines(total: number, fits: number) {
  if (fits >= total) return total
  const kept = total - fits === 1 ? fits - 1 : fits
  return kept < 2 ? 0 : kept
}

type Paragraph = { look?: TextStyle; after?: number; align?: TextAlign; kind?: string }

export function drawParagraph(sheet: PdfWriter, words: RichText, options: Paragraph = {}) {
  const { look = TEXT_STYLES.body, after = 8, align = 'start', kind = 'P' } = options
  const step = look.size * look.leading
  let lines = breakLines(sheet.doc, toTextRuns(words, look), sheet.width)
  while (lines.length) {
    const count = countFittingLines(lines.length, Math.floor(getSpaceLeft(sheet) / step))
    if (count === 0) {
      addPage(sheet)
      continue
    }
    const here = lines.slice(0, count)
    const { left: x, width, y } = sheet
    drawTagged(sheet, kind, () => drawLines(sheet.doc, here, look, { x, y, width, align }))
    sheet.y += here.length * step
    lines = lines.slice(count)
    if (lines.length) addPage(sheet)
  }
  sheet.y += after
}

const HEADING_STYLES = {
  1: { look: TEXT_STYLES.title, before: 0, after: 8 },
  2: { look: TEXT_STYLES.h2, before: 18, after: 6 },
  3: { look: TEXT_STYLES.h3, before: 12, after: 4 },
  4: { look: TEXT_STYLES.h4, before: 8, after: 2 },
} as const

type Heading = { keep?: number; name?: string }

/** `keep`: height of what follows that must stay on the same page. */
export function drawHeading(
  sheet: PdfWriter,
  level: 1 | 2 | 3 | 4,
  words: RichText,
  { keep = 60, name }: Heading = {},
) {
  const { look, before, after } = HEADING_STYLES[level]
  const { doc } = sheet
  const lines = breakLines(doc, toTextRuns(words, look), sheet.width)
  addGap(sheet, before)
  ensureSpace(sheet, measureHeight(lines, look) + after + keep)
  const { left: x, width, y } = sheet
  const title = typeof words === 'string' ? words : words.map(({ text }) => text).join('')
  if (name) doc.addNamedDestination(name, 'XYZ', 0, Math.max(0, y - 20), null)
  if (level <= 2) sheet.outline = doc.outline.addItem(title)
  else if (level === 3) sheet.outline?.addItem(title)
  drawTagged(sheet, `H${level}`, () => drawLines(doc, lines, look, { x, y, width }))
  sheet.y += measureHeight(lines, look) + after
}

export function drawBullets(sheet: PdfWriter, items: RichText[], look: TextStyle = TEXT_STYLES.body) {
  for (const item of items)
    drawBullet(sheet, '•', () => drawParagraph(sheet, item, { look, after: 3, kind: 'P' }), look)
  sheet.y += 5
}

/** Draws a bullet in the margin of what `draw` writes. */
export function drawBullet(
  sheet: PdfWriter,
  mark: string,
  draw: () => void,
  look: TextStyle = TEXT_STYLES.body,
  indent = 14,
) {
  ensureSpace(sheet, look.size * look.leading * 2)
  const baseline = sheet.y + (look.size * look.leading) / 2 + look.size * 0.36
  const tone = mark === '•' ? { ...look, colour: COLOURS.faint } : { ...look, face: '600' as const }
  drawTagged(sheet, 'Lbl', () => drawText(sheet.doc, mark, tone, sheet.left + (mark === '•' ? 3 : 0), baseline))
  drawInset(sheet, indent, draw)
}

/** Logo, title and subtitle on the first page; the company's brand on its documents. */
export function drawOpening(sheet: PdfWriter, title: string, under: string, right: string, brand?: Brand) {
  const { doc } = sheet
  sheet.y = 42
  drawTagged(
    sheet,
    'Figure',
    () => {
      if (brand) return drawBrand(doc, brand, { ...TEXT_STYLES.h2, face: '700' }, PAGE_LAYOUT.left, sheet.y + 20)
      drawLogo(doc, PAGE_LAYOUT.left, sheet.y, 26)
      drawText(doc, PRODUCT_NAME, { ...TEXT_STYLES.h2, face: '700' }, PAGE_LAYOUT.left + 34, sheet.y + 20)
    },
    { alt: brand?.name ?? PRODUCT_NAME },
  )
  drawTagged(sheet, 'P', () =>
    drawText(doc, right, TEXT_STYLES.label, PAGE_LAYOUT.left + sheet.width, sheet.y + 19, 'end'),
  )
  sheet.y += 46
  drawHeading(sheet, 1, title)
  drawParagraph(sheet, under, { look: TEXT_STYLES.lead, after: 12 })
}
