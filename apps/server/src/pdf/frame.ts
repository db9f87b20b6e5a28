import { COLOURS, CONTENT_WIDTH, PAPER, PRODUCT } from './look.ts'
import { LOOKS, type Look } from './runs.ts'
import { drawLine, linesOf } from './text.ts'

/** The drawing of the product, `size` points high. */
export function drawLogo(doc: PDFKit.PDFDocument, x: number, y: number, size: number) {
  doc
    .save()
    .translate(x, y)
    .scale(size / 32)
  doc.path('M2 18.2 9.2 10 15.2 16.9V29H3.4A1.4 1.4 0 0 1 2 27.6z').fill(COLOURS.night)
  doc.path('M30 18.2 22.8 10 16.8 16.9V29h11.8a1.4 1.4 0 0 0 1.4-1.4z').fill(COLOURS.roof)
  doc.circle(16, 7.6, 4.6).fill(COLOURS.sun)
  doc.restore()
}

export function drawWord(
  doc: PDFKit.PDFDocument,
  text: string,
  look: Look,
  x: number,
  baseline: number,
  align: 'start' | 'end' | 'center' = 'start',
) {
  const [line] = linesOf(doc, [{ ...look, text }], 10_000)
  if (!line) return
  const shift = align === 'end' ? line.width : align === 'center' ? line.width / 2 : 0
  drawLine(doc, line, x - shift, baseline)
}

/** Whose paper it is, where it is not the product's own; `logo` as PNG or JPEG. */
export type Brand = { name: string; colour: string; contact: string; logo?: Uint8Array | undefined }
type Frame = { title: string; page: number; pages: number; headless: boolean; brand?: Brand | undefined }

type Picture = { width: number; height: number }
/** The logo of a paper is in it once, however many pages show it. */
const opened = new WeakMap<PDFKit.PDFDocument, Picture>()
/** Its types leave this out. */
type Opening = { openImage(bytes: Buffer): Picture }
const openImage = (doc: PDFKit.PDFDocument, bytes: Uint8Array) =>
  (doc as unknown as Opening).openImage(Buffer.from(bytes))

/** One that cannot be read is as if it had not been given: a paper is made all the same. */
function pictureOf(doc: PDFKit.PDFDocument, logo: Uint8Array): Picture | undefined {
  try {
    const picture = opened.get(doc) ?? openImage(doc, logo)
    opened.set(doc, picture)
    return picture
  } catch {
    return undefined
  }
}

/** Logos are wide or high: this many times as high as the name at most, and as wide as the place beside the title. */
const LOGO = { height: 1.9, width: 11 }

/** The mark of a company: its logo, or its colour; and its name beside it. */
export function drawBrand(doc: PDFKit.PDFDocument, brand: Brand, look: Look, x: number, baseline: number) {
  const { name, colour, logo } = brand
  const side = look.size
  const picture = logo && pictureOf(doc, logo)
  if (picture) {
    const scale = Math.min((side * LOGO.height) / picture.height, (side * LOGO.width) / picture.width)
    const [width, height] = [picture.width * scale, picture.height * scale]
    // What was opened is drawn as it is; the types know of bytes and names alone.
    doc.image(picture as unknown as Buffer, x, baseline - side * 0.36 - height / 2, { width, height })
    drawWord(doc, name, look, x + width + side * 0.6, baseline)
    return
  }
  doc.roundedRect(x, baseline - side * 0.86, side, side, side * 0.22).fill(colour)
  drawWord(doc, name, look, x + side * 1.5, baseline)
}

export function drawFrame(doc: PDFKit.PDFDocument, { title, page, pages, headless, brand }: Frame) {
  const right = PAPER.left + CONTENT_WIDTH
  const hairline = (y: number) =>
    doc.moveTo(PAPER.left, y).lineTo(right, y).lineWidth(0.5).strokeColor(COLOURS.hairline).stroke()
  doc.markContent('Artifact', { type: 'Pagination' })
  if (!headless) {
    const look: Look = { ...LOOKS.label, face: '600', colour: COLOURS.ink }
    if (brand) drawBrand(doc, brand, look, PAPER.left, 46)
    else {
      drawLogo(doc, PAPER.left, 34, 16)
      drawWord(doc, PRODUCT, look, PAPER.left + 22, 46)
    }
    drawWord(doc, title, LOOKS.label, right, 46, 'end')
    hairline(60)
  }
  const foot = PAPER.height - 38
  hairline(foot - 14)
  const whose = brand ? [brand.name, brand.contact].filter(Boolean) : [PRODUCT, 'Autoconsommation collective']
  drawWord(doc, whose.join(' · '), LOOKS.small, PAPER.left, foot)
  drawWord(doc, `Page ${page + 1} / ${pages}`, { ...LOOKS.small, tabular: true }, right, foot, 'end')
  doc.endMarkedContent()
}
