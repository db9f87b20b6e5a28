import type { Block } from '@voisol/contract/prose'
import { drawHeading, drawLines, drawOpening, drawParagraph, measureHeight } from './blocks.ts'
import { addPage, closePdf, drawArtifact, drawTagged, openPdf, type PdfWriter } from './document.ts'
import { drawLogo, drawText } from './frame.ts'
import { formatLongDate } from './pdf-number-formats.ts'
import { drawProse, toInlineRuns } from './prose.ts'
import { COLOURS, PAGE_LAYOUT, PRODUCT_NAME } from './style.ts'
import { breakLines, measureText, TEXT_STYLES, toTextRuns } from './text.ts'

export type WhitePaperInput = {
  title: string
  summary: string
  author: string
  /** Null for a preview of a draft. */
  publishedAt: Date | null
  body: Block[]
  /** Address of the site, for the contact page and relative links; without it they are plain text. */
  home?: string
}

type Chapter = { title: string; name: string; page: number }
const LINES_PER_PAGE = 26

/** The roofs of the logo, large and pale at the bottom of the cover. */
function drawSkyline(doc: PDFKit.PDFDocument) {
  doc.save().rect(0, 0, PAGE_LAYOUT.width, PAGE_LAYOUT.height).clip()
  doc.rect(0, 0, PAGE_LAYOUT.width, 6).fill(COLOURS.sun)
  doc.fillOpacity(0.07)
  drawLogo(doc, PAGE_LAYOUT.width - 330, PAGE_LAYOUT.height - 361, 400)
  doc.restore().fillOpacity(1)
}

function drawCover(sheet: PdfWriter, { title, summary, author, publishedAt }: WhitePaperInput) {
  const { doc } = sheet
  drawArtifact(sheet, drawSkyline)
  drawTagged(
    sheet,
    'Figure',
    () => {
      drawLogo(doc, PAGE_LAYOUT.left, 72, 30)
      drawText(doc, PRODUCT_NAME, { ...TEXT_STYLES.h2, face: '700', size: 16 }, PAGE_LAYOUT.left + 40, 94)
    },
    { alt: PRODUCT_NAME },
  )
  sheet.y = 268
  sheet.width -= 60
  drawParagraph(sheet, 'Livre blanc', {
    look: { ...TEXT_STYLES.label, face: '600', size: 10, colour: COLOURS.warmInk },
    after: 6,
  })
  const lines = breakLines(doc, toTextRuns(title, { ...TEXT_STYLES.display, size: 30 }), sheet.width)
  const look = { ...TEXT_STYLES.display, size: 30 }
  drawTagged(sheet, 'H1', () => drawLines(doc, lines, look, { x: sheet.left, y: sheet.y, width: sheet.width }))
  sheet.y += measureHeight(lines, look) + 18
  drawParagraph(sheet, summary, { look: { ...TEXT_STYLES.lead, size: 12.5 }, after: 26 })
  const said = [author, publishedAt ? formatLongDate(publishedAt) : 'Brouillon'].filter(Boolean).join(' · ')
  drawParagraph(sheet, said, { look: TEXT_STYLES.label })
  sheet.width += 60
}

const getTitle = (block: Extract<Block, { kind: 'heading' }>) =>
  toInlineRuns(block.children, TEXT_STYLES.body, { home: '' })
    .map(({ text }) => text)
    .join('')

/** Drawn last, once page numbers are known, on pages reserved for it. */
function drawContents(sheet: PdfWriter, first: number, chapters: Chapter[]) {
  const { doc, left, width } = sheet
  const right = left + width
  for (const [at, { title, name, page }] of chapters.entries()) {
    const row = at % LINES_PER_PAGE
    doc.switchToPage(first + Math.floor(at / LINES_PER_PAGE))
    if (at === 0) {
      sheet.y = PAGE_LAYOUT.top
      drawTagged(sheet, 'H2', () => drawText(doc, 'Sommaire', TEXT_STYLES.title, left, PAGE_LAYOUT.top + 22))
    }
    const baseline = PAGE_LAYOUT.top + 66 + row * 24
    const figure = String(page + 1)
    const look = { ...TEXT_STYLES.body, size: 10.5 }
    const [line] = breakLines(doc, [{ ...look, text: title }], width - 60)
    const used = line ? line.width : 0
    drawTagged(sheet, 'TOCI', () => {
      if (line) drawLines(doc, [line], look, { x: left, y: baseline - look.size * 1.14, width })
      drawText(doc, figure, { ...look, face: '600', tabular: true }, right, baseline, 'end')
    })
    drawArtifact(sheet, () => {
      const end = right - measureText(doc, look, figure) - 8
      doc
        .moveTo(left + used + 8, baseline - 2)
        .lineTo(end, baseline - 2)
        .dash(0.5, { space: 3 })
      doc.lineWidth(0.7).strokeColor(COLOURS.rule).stroke().undash()
    })
    doc.goTo(left, baseline - 12, width, 18, name)
  }
}

function drawLastPage(sheet: PdfWriter, home: string) {
  addPage(sheet)
  sheet.y = 250
  drawArtifact(sheet, (doc) => drawLogo(doc, PAGE_LAYOUT.left, 190, 40))
  drawHeading(sheet, 1, 'Parlons de votre projet')
  const lead = { look: TEXT_STYLES.lead, after: 12 }
  drawParagraph(
    sheet,
    'Voisol accompagne les copropriétés, les collectivités, les quartiers et les sites d’activité qui partagent leur énergie solaire\u00a0: étude, répartition de l’énergie entre voisins, suivi des courbes et portail des participants.',
    lead,
  )
  drawParagraph(sheet, 'Une démonstration dure trente minutes, en visioconférence.', lead)
  if (home)
    drawParagraph(
      sheet,
      [
        {
          ...TEXT_STYLES.h3,
          colour: COLOURS.link,
          text: `${home.replace(/^https?:\/\//, '')}/contact`,
          link: `${home}/contact`,
        },
      ],
      { look: TEXT_STYLES.h3, after: 40 },
    )
  drawParagraph(
    sheet,
    'Ce document informe et ne remplace pas un conseil juridique, fiscal ou technique. Les règles et les tarifs cités sont ceux connus à la date de publication.',
    { look: TEXT_STYLES.small },
  )
}

/** A cover, a table of contents, the text, and contact details. */
export async function buildWhitePaperPdf(paper: WhitePaperInput): Promise<Uint8Array> {
  const { title, summary, author, publishedAt, body, home = '' } = paper
  const sheet = openPdf({ title, subject: summary, author, createdAt: publishedAt ?? new Date() })
  const { doc } = sheet
  drawCover(sheet, paper)
  const count = body.filter((block) => block.kind === 'heading' && block.level === 2).length
  for (let kept = 0; kept < Math.ceil(count / LINES_PER_PAGE); kept++) addPage(sheet)
  addPage(sheet)
  const list = doc.struct('TOC')
  sheet.open[0]?.add(list)
  const chapters: Chapter[] = []
  for (const block of body) {
    drawProse(sheet, [block], { home })
    if (block.kind === 'heading' && block.level === 2)
      chapters.push({ title: getTitle(block), name: block.id, page: doc.bufferedPageRange().count - 1 })
  }
  drawLastPage(sheet, home)
  sheet.open.push(list)
  drawContents(sheet, 1, chapters)
  list.end()
  return closePdf(sheet, { title, headless: (page, pages) => page === pages - 1, bare: (page) => page === 0 })
}

export type LegalPdfInput = { title: string; summary: string; at: Date; body: Block[]; home: string }

/** A legal text with its title and date. */
export function buildLegalPdf({ title, summary, at, body, home }: LegalPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title, subject: summary, createdAt: at })
  drawOpening(sheet, title, summary, formatLongDate(at))
  drawProse(sheet, body, { home })
  return closePdf(sheet, { title })
}
