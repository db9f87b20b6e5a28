import type { Block } from '@voisol/contract/prose'
import { drawLines, heading, heightOf, paragraph } from './blocks.ts'
import { closeSheet, nextPage, openSheet, ornament, type Sheet, tagged } from './document.ts'
import { longDate } from './figures.ts'
import { drawLogo, drawWord } from './frame.ts'
import { COLOURS, PAPER, PRODUCT } from './look.ts'
import { drawProse, inlineRuns } from './prose.ts'
import { LOOKS, runsOf } from './runs.ts'
import { linesOf, measure } from './text.ts'

export type WhitePaper = {
  title: string
  summary: string
  author: string
  /** Null for a preview of a draft. */
  publishedAt: Date | null
  body: Block[]
  /** Address of the site, for its contact page and links without a host; none: they are plain text. */
  home?: string
}

type Chapter = { title: string; name: string; page: number }
const LINES_PER_PAGE = 26

/** The roofs of the logo, large and faint at the foot of the cover. */
function drawSkyline(doc: PDFKit.PDFDocument) {
  doc.save().rect(0, 0, PAPER.width, PAPER.height).clip()
  doc.rect(0, 0, PAPER.width, 6).fill(COLOURS.sun)
  doc.fillOpacity(0.07)
  drawLogo(doc, PAPER.width - 330, PAPER.height - 361, 400)
  doc.restore().fillOpacity(1)
}

function cover(sheet: Sheet, { title, summary, author, publishedAt }: WhitePaper) {
  const { doc } = sheet
  ornament(sheet, drawSkyline)
  tagged(
    sheet,
    'Figure',
    () => {
      drawLogo(doc, PAPER.left, 72, 30)
      drawWord(doc, PRODUCT, { ...LOOKS.h2, face: '700', size: 16 }, PAPER.left + 40, 94)
    },
    { alt: PRODUCT },
  )
  sheet.y = 268
  sheet.width -= 60
  paragraph(sheet, 'Livre blanc', {
    look: { ...LOOKS.label, face: '600', size: 10, colour: COLOURS.warmInk },
    after: 6,
  })
  const lines = linesOf(doc, runsOf(title, { ...LOOKS.display, size: 30 }), sheet.width)
  const look = { ...LOOKS.display, size: 30 }
  tagged(sheet, 'H1', () => drawLines(doc, lines, look, { x: sheet.left, y: sheet.y, width: sheet.width }))
  sheet.y += heightOf(lines, look) + 18
  paragraph(sheet, summary, { look: { ...LOOKS.lead, size: 12.5 }, after: 26 })
  const said = [author, publishedAt ? longDate(publishedAt) : 'Brouillon'].filter(Boolean).join(' · ')
  paragraph(sheet, said, { look: LOOKS.label })
  sheet.width += 60
}

const titleOf = (block: Extract<Block, { kind: 'heading' }>) =>
  inlineRuns(block.children, LOOKS.body, { home: '' })
    .map(({ text }) => text)
    .join('')

/** Written last, when the pages are known, on those kept for it. */
function contents(sheet: Sheet, first: number, chapters: Chapter[]) {
  const { doc, left, width } = sheet
  const right = left + width
  for (const [at, { title, name, page }] of chapters.entries()) {
    const row = at % LINES_PER_PAGE
    doc.switchToPage(first + Math.floor(at / LINES_PER_PAGE))
    if (at === 0) {
      sheet.y = PAPER.top
      tagged(sheet, 'H2', () => drawWord(doc, 'Sommaire', LOOKS.title, left, PAPER.top + 22))
    }
    const baseline = PAPER.top + 66 + row * 24
    const figure = String(page + 1)
    const look = { ...LOOKS.body, size: 10.5 }
    const [line] = linesOf(doc, [{ ...look, text: title }], width - 60)
    const used = line ? line.width : 0
    tagged(sheet, 'TOCI', () => {
      if (line) drawLines(doc, [line], look, { x: left, y: baseline - look.size * 1.14, width })
      drawWord(doc, figure, { ...look, face: '600', tabular: true }, right, baseline, 'end')
    })
    ornament(sheet, () => {
      const end = right - measure(doc, look, figure) - 8
      doc
        .moveTo(left + used + 8, baseline - 2)
        .lineTo(end, baseline - 2)
        .dash(0.5, { space: 3 })
      doc.lineWidth(0.7).strokeColor(COLOURS.rule).stroke().undash()
    })
    doc.goTo(left, baseline - 12, width, 18, name)
  }
}

function lastPage(sheet: Sheet, home: string) {
  nextPage(sheet)
  sheet.y = 250
  ornament(sheet, (doc) => drawLogo(doc, PAPER.left, 190, 40))
  heading(sheet, 1, 'Parlons de votre projet')
  const lead = { look: LOOKS.lead, after: 12 }
  paragraph(
    sheet,
    'Voisol accompagne les copropriétés, les collectivités, les quartiers et les sites d’activité qui partagent leur énergie solaire\u00a0: étude, répartition de l’énergie entre voisins, suivi des courbes et portail des participants.',
    lead,
  )
  paragraph(sheet, 'Une démonstration dure trente minutes, en visioconférence.', lead)
  if (home)
    paragraph(
      sheet,
      [
        {
          ...LOOKS.h3,
          colour: COLOURS.link,
          text: `${home.replace(/^https?:\/\//, '')}/contact`,
          link: `${home}/contact`,
        },
      ],
      { look: LOOKS.h3, after: 40 },
    )
  paragraph(
    sheet,
    'Ce document informe et ne remplace pas un conseil juridique, fiscal ou technique. Les règles et les tarifs cités sont ceux connus à la date de publication.',
    { look: LOOKS.small },
  )
}

/** A cover, the chapters with their pages, the text, and whom to speak to. */
export async function whitePaperPdf(paper: WhitePaper): Promise<Uint8Array> {
  const { title, summary, author, publishedAt, body, home = '' } = paper
  const sheet = openSheet({ title, subject: summary, author, createdAt: publishedAt ?? new Date() })
  const { doc } = sheet
  cover(sheet, paper)
  const count = body.filter((block) => block.kind === 'heading' && block.level === 2).length
  for (let kept = 0; kept < Math.ceil(count / LINES_PER_PAGE); kept++) nextPage(sheet)
  nextPage(sheet)
  const list = doc.struct('TOC')
  sheet.open[0]?.add(list)
  const chapters: Chapter[] = []
  for (const block of body) {
    drawProse(sheet, [block], { home })
    if (block.kind === 'heading' && block.level === 2)
      chapters.push({ title: titleOf(block), name: block.id, page: doc.bufferedPageRange().count - 1 })
  }
  lastPage(sheet, home)
  sheet.open.push(list)
  contents(sheet, 1, chapters)
  list.end()
  return closeSheet(sheet, { title, headless: (page, pages) => page === pages - 1, bare: (page) => page === 0 })
}
