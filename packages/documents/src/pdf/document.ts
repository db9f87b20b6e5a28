import PDFDocument from 'pdfkit'
import { type Brand, drawFrame } from './frame.ts'
import { CONTENT_WIDTH, PAGE_LAYOUT, PRODUCT_NAME } from './style.ts'

type Structure = ReturnType<PDFKit.PDFDocument['struct']>
export type PdfWriter = {
  doc: PDFKit.PDFDocument
  /** The position of the next element, and the margins. */
  y: number
  left: number
  width: number
  /** The open elements of the tagged structure, innermost last; empty in a document without tags. */
  open: Structure[]
  outline: PDFKit.PDFOutline | undefined
}
type PdfOptions = {
  title: string
  subject: string
  author?: string
  createdAt?: Date
  /** Tags cost a hundred bytes per table cell: a long document that is also a web page can do without. */
  tags?: boolean
  /** Archival: PDF/A-3b, which may have an attached file. */
  archival?: boolean
}

/** A French A4 document, tagged for screen readers; the first page is open. */
export function openPdf(paper: PdfOptions): PdfWriter {
  const { title, subject, author = PRODUCT_NAME, createdAt = new Date(), tags = true, archival = false } = paper
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    font: '',
    lang: 'fr-FR',
    pdfVersion: '1.7',
    tagged: tags,
    displayTitle: true,
    ...(archival && { subset: 'PDF/A-3b' as const }),
    info: {
      Title: title,
      Author: author,
      Subject: subject,
      Creator: PRODUCT_NAME,
      Producer: PRODUCT_NAME,
      CreationDate: createdAt,
    },
  })
  const root = tags ? doc.struct('Document') : undefined
  if (root) doc.addStructure(root)
  return {
    doc,
    y: PAGE_LAYOUT.top,
    left: PAGE_LAYOUT.left,
    width: CONTENT_WIDTH,
    open: root ? [root] : [],
    outline: undefined,
  }
}

export const PAGE_BOTTOM = PAGE_LAYOUT.height - PAGE_LAYOUT.bottom
export const getSpaceLeft = (sheet: PdfWriter) => PAGE_BOTTOM - sheet.y

export function addPage(sheet: PdfWriter) {
  sheet.doc.addPage()
  sheet.y = PAGE_LAYOUT.top
}

/** Starts a new page where less than `height` is left; at most a whole page can be asked for. */
export function ensureSpace(sheet: PdfWriter, height: number) {
  if (getSpaceLeft(sheet) < Math.min(height, PAGE_BOTTOM - PAGE_LAYOUT.top)) addPage(sheet)
}

/** A gap, except at the top of a page. */
export function addGap(sheet: PdfWriter, height: number) {
  if (sheet.y > PAGE_LAYOUT.top) sheet.y += height
}

type Options = { alt?: string; scope?: 'Column' | 'Row' }

/** Draws on this page as one element of the tagged structure. */
export function drawTagged(sheet: PdfWriter, kind: string, draw: () => void, options: Options = {}) {
  const { doc } = sheet
  const parent = sheet.open.at(-1)
  if (!parent) return draw()
  const content = doc.markStructureContent(kind)
  draw()
  doc.endMarkedContent()
  parent.add(doc.struct(kind, options, [content]))
}

/** Elements drawn inside `draw` become children of one element. */
export function drawInElement(sheet: PdfWriter, kind: string, draw: () => void) {
  const parent = sheet.open.at(-1)
  if (!parent) return draw()
  const element = sheet.doc.struct(kind)
  parent.add(element)
  sheet.open.push(element)
  draw()
  sheet.open.pop()
  element.end()
}

/** Decorative lines and surfaces, ignored by screen readers. */
export function drawArtifact(sheet: PdfWriter, draw: (doc: PDFKit.PDFDocument) => void) {
  const { doc } = sheet
  if (!sheet.open.length) return draw(doc)
  doc.markContent('Artifact', { type: 'Layout' })
  draw(doc)
  doc.endMarkedContent()
}

export function drawInset(sheet: PdfWriter, by: number, draw: () => void) {
  sheet.left += by
  sheet.width -= by
  draw()
  sheet.left -= by
  sheet.width += by
}

type ClosePdfOptions = {
  title: string /** Pages without a header, and pages without header or footer. */
  headless?: (page: number, pages: number) => boolean
  bare?: (page: number) => boolean
  brand?: Brand
}

/** Adds headers and footers to every page, and returns the bytes. */
export async function closePdf(
  sheet: PdfWriter,
  { title, headless = (page) => page === 0, bare = () => false, brand }: ClosePdfOptions,
): Promise<Uint8Array> {
  const { doc, open } = sheet
  const chunks: Buffer[] = []
  const written = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const pages = doc.bufferedPageRange().count
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page)
    if (!bare(page)) drawFrame(doc, { title, page, pages, headless: headless(page, pages), brand })
  }
  open[0]?.end()
  doc.end()
  await written
  return new Uint8Array(Buffer.concat(chunks))
}
