import type { Block, Inline } from '@voisol/contract/prose'
import { drawBullet, drawHeading, drawLines, drawParagraph, measureHeight } from './blocks.ts'
import { drawRule } from './chart.ts'
import {
  addGap,
  addPage,
  drawArtifact,
  drawInset,
  drawTagged,
  ensureSpace,
  getSpaceLeft,
  PAGE_BOTTOM,
  type PdfWriter,
} from './document.ts'
import { COLOURS, PAGE_LAYOUT } from './style.ts'
import { drawTable, drawTiles, type PdfTableColumn } from './table.ts'
import { breakLines, TEXT_STYLES, type TextRun, type TextStyle, toBold, toTextRuns } from './text.ts'

/** `home`: the address of the site, for links that have none of their own. */
type DrawProseOptions = { home: string }

function resolveLink(href: string, home: string): string | undefined {
  if (href.startsWith('/')) return home ? `${home}${href}` : undefined
  return /^(https?:|mailto:|tel:|#)/.test(href) ? href : undefined
}

function toInlineRun(child: Inline, look: TextStyle, prose: DrawProseOptions, link: string | undefined): TextRun[] {
  const run = (base: TextStyle, text: string): TextRun[] => [{ ...base, text, ...(link && { link }) }]
  switch (child.kind) {
    case 'text':
      return run(look, child.text.replace(/\s*\n\s*/g, ' '))
    case 'code':
      return run({ ...look, face: 'code', size: look.size * 0.95 }, child.text)
    case 'break':
      return run(look, '\n')
    case 'strong':
      return toInlineRuns(child.children, toBold(look), prose, link)
    case 'emphasis':
      return toInlineRuns(child.children, { ...look, face: 'italic' }, prose, link)
    case 'link': {
      const to = resolveLink(child.href, prose.home)
      return toInlineRuns(child.children, to ? { ...look, colour: COLOURS.link } : look, prose, to)
    }
  }
}

export const toInlineRuns = (children: Inline[], look: TextStyle, prose: DrawProseOptions, link?: string): TextRun[] =>
  children.flatMap((child) => toInlineRun(child, look, prose, link))

/** A bar on the left of what `draw` writes, on every page it uses. */
function drawWithBar(sheet: PdfWriter, colour: string, draw: () => void) {
  ensureSpace(sheet, 60)
  const { doc } = sheet
  const pageOf = () => doc.bufferedPageRange().count - 1
  const from = { page: pageOf(), y: sheet.y }
  drawInset(sheet, 14, draw)
  const to = { page: pageOf(), y: sheet.y }
  for (let page = from.page; page <= to.page; page++) {
    doc.switchToPage(page)
    const top = page === from.page ? from.y : PAGE_LAYOUT.top
    const bottom = page === to.page ? to.y - 6 : PAGE_BOTTOM
    drawArtifact(sheet, () => doc.roundedRect(sheet.left, top, 3, Math.max(0, bottom - top), 1.5).fill(colour))
  }
}

/** Preformatted lines, each on a grey strip. */
export function drawCodeBlock(sheet: PdfWriter, text: string, after = 10) {
  const look = TEXT_STYLES.code
  const step = look.size * look.leading
  const lines = text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    return breakLines(sheet.doc, toTextRuns(line.replace(/ /g, '\u00a0') || '\u00a0', look), sheet.width - 20).map(
      (part, at) => ({
        part,
        shift: at ? indent.length * look.size * 0.6 + 10 : 0,
      }),
    )
  })
  const strip = (height: number) => {
    const { left, width, y } = sheet
    drawArtifact(sheet, (doc) => doc.rect(left, y, width, height).fill(COLOURS.tint))
    sheet.y += height
  }
  ensureSpace(sheet, Math.min(lines.length, 4) * step + 12)
  strip(6)
  for (const { part, shift } of lines) {
    if (getSpaceLeft(sheet) < step) addPage(sheet)
    const { left, width, y } = sheet
    drawArtifact(sheet, (doc) => doc.rect(left, y - 0.2, width, step + 0.4).fill(COLOURS.tint))
    drawTagged(sheet, 'Code', () => drawLines(sheet.doc, [part], look, { x: left + 10 + shift, y, width: width - 20 }))
    sheet.y += step
  }
  strip(6)
  sheet.y += after
}

const TONES = { info: COLOURS.night, warning: COLOURS.sun, example: COLOURS.surplus }

function drawProseTable(
  sheet: PdfWriter,
  { align, head, rows }: Extract<Block, { kind: 'table' }>,
  prose: DrawProseOptions,
) {
  const lengthOf = (cell: Inline[]) =>
    toInlineRuns(cell, TEXT_STYLES.cell, prose).reduce((sum, { text }) => sum + text.length, 0)
  const columns = head.map((cell, at): PdfTableColumn => {
    const longest = Math.max(...[cell, ...rows.map((row) => row[at] ?? [])].map(lengthOf))
    return {
      head: toInlineRuns(cell, TEXT_STYLES.headCell, prose),
      part: Math.max(8, Math.min(48, longest)),
      align: align[at] ?? 'start',
    }
  })
  const look = (at: number) => (align[at] === 'end' ? TEXT_STYLES.figureCell : TEXT_STYLES.cell)
  drawTable(
    sheet,
    columns,
    rows.map((row) => row.map((cell, at) => toInlineRuns(cell, look(at), prose))),
  )
}

function drawCall(
  sheet: PdfWriter,
  { title, text, label, href }: Extract<Block, { kind: 'call' }>,
  prose: DrawProseOptions,
) {
  const to = resolveLink(href, prose.home)
  const width = sheet.width - 32
  const parts = [
    { look: TEXT_STYLES.h3, lines: breakLines(sheet.doc, toTextRuns(title, TEXT_STYLES.h3), width) },
    { look: TEXT_STYLES.quiet, lines: text ? breakLines(sheet.doc, toTextRuns(text, TEXT_STYLES.quiet), width) : [] },
    {
      look: TEXT_STYLES.body,
      lines: breakLines(
        sheet.doc,
        [{ ...toBold(TEXT_STYLES.body), colour: COLOURS.link, text: label, ...(to && { link: to }) }],
        width,
      ),
    },
  ]
  const height = parts.reduce((sum, { lines, look }) => sum + measureHeight(lines, look), 28)
  ensureSpace(sheet, height)
  const { left, y } = sheet
  drawArtifact(sheet, (doc) =>
    doc.roundedRect(left, y, sheet.width, height, 6).lineWidth(0.7).fillAndStroke(COLOURS.tint, COLOURS.hairline),
  )
  sheet.y += 14
  for (const { lines, look } of parts) {
    drawTagged(sheet, 'P', () => drawLines(sheet.doc, lines, look, { x: left + 16, y: sheet.y, width }))
    sheet.y += measureHeight(lines, look)
  }
  sheet.y += 26
}

function drawList(sheet: PdfWriter, { ordered, items }: Extract<Block, { kind: 'list' }>, prose: DrawProseOptions) {
  for (const [at, item] of items.entries())
    drawBullet(
      sheet,
      ordered ? `${at + 1}.` : '•',
      () => drawProse(sheet, item, prose, 4),
      TEXT_STYLES.body,
      ordered ? 18 : 14,
    )
  sheet.y += 4
}

function drawBlock(sheet: PdfWriter, block: Block, prose: DrawProseOptions, after: number) {
  switch (block.kind) {
    case 'heading':
      return drawHeading(
        sheet,
        block.level,
        toInlineRuns(block.children, { ...TEXT_STYLES[`h${block.level}`] }, prose),
        {
          name: block.id,
        },
      )
    case 'paragraph':
      return drawParagraph(sheet, toInlineRuns(block.children, TEXT_STYLES.body, prose), { after })
    case 'list':
      return drawList(sheet, block, prose)
    case 'quote':
      return drawWithBar(sheet, COLOURS.rule, () => drawProse(sheet, block.blocks, prose))
    case 'table':
      return drawProseTable(sheet, block, prose)
    case 'code':
      return drawCodeBlock(sheet, block.text)
    case 'image':
      return drawParagraph(sheet, block.caption || block.alt, {
        look: { ...TEXT_STYLES.small, face: 'italic' },
        align: 'center',
      })
    case 'rule':
      addGap(sheet, 6)
      drawRule(sheet)
      sheet.y += 12
      return
    case 'note':
      return drawWithBar(sheet, TONES[block.tone], () => {
        if (block.title) drawParagraph(sheet, block.title, { look: toBold(TEXT_STYLES.body), after: 2 })
        drawProse(sheet, block.blocks, prose)
      })
    case 'figures':
      return drawTiles(sheet, block.items, Math.min(3, Math.max(1, block.items.length)))
    case 'steps':
      for (const [at, { title, blocks }] of block.items.entries())
        drawBullet(
          sheet,
          String(at + 1),
          () => {
            drawParagraph(sheet, title, { look: TEXT_STYLES.h3, after: 2 })
            drawProse(sheet, blocks, prose)
          },
          TEXT_STYLES.h3,
          22,
        )
      return
    case 'call':
      return drawCall(sheet, block, prose)
  }
}

/** Draws a prose tree; `after` is the gap below each paragraph. */
export function drawProse(sheet: PdfWriter, blocks: Block[], prose: DrawProseOptions, after = 8) {
  for (const block of blocks) drawBlock(sheet, block, prose, after)
}
