import { COLOURS, CONTENT_WIDTH, PAGE_LAYOUT, PRODUCT_NAME } from './style.ts'
import { breakLines, drawLine, TEXT_STYLES, type TextStyle } from './text.ts'

/** Draws the product's logo, `size` points high. */
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

export function drawText(
  doc: PDFKit.PDFDocument,
  text: string,
  look: TextStyle,
  x: number,
  baseline: number,
  align: 'start' | 'end' | 'center' = 'start',
) {
  const [line] = breakLines(doc, [{ ...look, text }], 10_000)
  if (!line) return
  const shift = align === 'end' ? line.width : align === 'center' ? line.width / 2 : 0
  drawLine(doc, line, x - shift, baseline)
}

/** The brand of the document if it is not the product's; `logo` as PNG or JPEG. */
export type Brand = { name: string; colour: string; contact: string; logo?: Uint8Array | undefined }
type Frame = { title: string; page: number; pages: number; headless: boolean; brand?: Brand | undefined }

type Picture = { width: number; height: number }
/** The logo is embedded once per document, however many pages show it. */
const openedLogos = new WeakMap<PDFKit.PDFDocument, Picture>()
/** Missing in the types of pdfkit. */
type Opening = { openImage(bytes: Buffer): Picture }
const openImage = (doc: PDFKit.PDFDocument, bytes: Uint8Array) =>
  (doc as unknown as Opening).openImage(Buffer.from(bytes))

/** An unreadable logo is ignored, so that the document is generated all the same. */
function openLogo(doc: PDFKit.PDFDocument, logo: Uint8Array): Picture | undefined {
  try {
    const picture = openedLogos.get(doc) ?? openImage(doc, logo)
    openedLogos.set(doc, picture)
    return picture
  } catch {
    return undefined
  }
}

/** Limits for wide or high logos: in multiples of the height of the name. */
const LOGO = { height: 1.9, width: 11 }

/** The brand of a company: its logo or colour, with its name. */
export function drawBrand(doc: PDFKit.PDFDocument, brand: Brand, look: TextStyle, x: number, baseline: number) {
  const { name, colour, logo } = brand
  const side = look.size
  const picture = logo && openLogo(doc, logo)
  if (picture) {
    const scale = Math.min((side * LOGO.height) / picture.height, (side * LOGO.width) / picture.width)
    const [width, height] = [picture.width * scale, picture.height * scale]
    // An opened image can be drawn; the types know only bytes and names.
    doc.image(picture as unknown as Buffer, x, baseline - side * 0.36 - height / 2, { width, height })
    drawText(doc, name, look, x + width + side * 0.6, baseline)
    return
  }
  doc.roundedRect(x, baseline - side * 0.86, side, side, side * 0.22).fill(colour)
  drawText(doc, name, look, x + side * 1.5, baseline)
}

export function drawFrame(doc: PDFKit.PDFDocument, { title, page, pages, headless, brand }: Frame) {
  const right = PAGE_LAYOUT.left + CONTENT_WIDTH
  const hairline = (y: number) =>
    doc.moveTo(PAGE_LAYOUT.left, y).lineTo(right, y).lineWidth(0.5).strokeColor(COLOURS.hairline).stroke()
  doc.markContent('Artifact', { type: 'Pagination' })
  if (!headless) {
    const look: TextStyle = { ...TEXT_STYLES.label, face: '600', colour: COLOURS.ink }
    if (brand) drawBrand(doc, brand, look, PAGE_LAYOUT.left, 46)
    else {
      drawLogo(doc, PAGE_LAYOUT.left, 34, 16)
      drawText(doc, PRODUCT_NAME, look, PAGE_LAYOUT.left + 22, 46)
    }
    drawText(doc, title, TEXT_STYLES.label, right, 46, 'end')
    hairline(60)
  }
  const foot = PAGE_LAYOUT.height - 38
  hairline(foot - 14)
  const whose = brand ? [brand.name, brand.contact].filter(Boolean) : [PRODUCT_NAME, 'Autoconsommation collective']
  drawText(doc, whose.join(' · '), TEXT_STYLES.small, PAGE_LAYOUT.left, foot)
  drawText(doc, `Page ${page + 1} / ${pages}`, { ...TEXT_STYLES.small, tabular: true }, right, foot, 'end')
  doc.endMarkedContent()
}
