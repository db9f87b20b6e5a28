import type { Block, Inline } from '@voisol/contract/prose'
import { bullet, drawLines, heading, heightOf, paragraph } from './blocks.ts'
import { rule } from './chart.ts'
import { inset, nextPage, ornament, pageBottom, room, roomLeft, type Sheet, space, tagged } from './document.ts'
import { COLOURS, PAPER } from './look.ts'
import { bold, LOOKS, type Look, type Run, runsOf } from './runs.ts'
import { type Column, table } from './table.ts'
import { linesOf } from './text.ts'
import { tiles } from './tiles.ts'

/** `home`: the address of the site, for links that have none of their own. */
export type Prose = { home: string }

function addressOf(href: string, home: string): string | undefined {
  if (href.startsWith('/')) return home ? `${home}${href}` : undefined
  return /^(https?:|mailto:|tel:|#)/.test(href) ? href : undefined
}

function inlineRun(child: Inline, look: Look, prose: Prose, link: string | undefined): Run[] {
  const run = (base: Look, text: string): Run[] => [{ ...base, text, ...(link && { link }) }]
  switch (child.kind) {
    case 'text':
      return run(look, child.text.replace(/\s*\n\s*/g, ' '))
    case 'code':
      return run({ ...look, face: 'code', size: look.size * 0.95 }, child.text)
    case 'break':
      return run(look, '\n')
    case 'strong':
      return inlineRuns(child.children, bold(look), prose, link)
    case 'emphasis':
      return inlineRuns(child.children, { ...look, face: 'italic' }, prose, link)
    case 'link': {
      const to = addressOf(child.href, prose.home)
      return inlineRuns(child.children, to ? { ...look, colour: COLOURS.link } : look, prose, to)
    }
  }
}

export const inlineRuns = (children: Inline[], look: Look, prose: Prose, link?: string): Run[] =>
  children.flatMap((child) => inlineRun(child, look, prose, link))

/** A bar at the left of what `draw` writes, on every page it takes. */
function barred(sheet: Sheet, colour: string, draw: () => void) {
  room(sheet, 60)
  const { doc } = sheet
  const pageOf = () => doc.bufferedPageRange().count - 1
  const from = { page: pageOf(), y: sheet.y }
  inset(sheet, 14, draw)
  const to = { page: pageOf(), y: sheet.y }
  for (let page = from.page; page <= to.page; page++) {
    doc.switchToPage(page)
    const top = page === from.page ? from.y : PAPER.top
    const bottom = page === to.page ? to.y - 6 : pageBottom
    ornament(sheet, () => doc.roundedRect(sheet.left, top, 3, Math.max(0, bottom - top), 1.5).fill(colour))
  }
}

/** Lines as they were typed, each on its own strip of grey. */
export function codeBlock(sheet: Sheet, text: string, after = 10) {
  const look = LOOKS.code
  const step = look.size * look.leading
  const lines = text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? ''
    return linesOf(sheet.doc, runsOf(line.replace(/ /g, '\u00a0') || '\u00a0', look), sheet.width - 20).map(
      (part, at) => ({
        part,
        shift: at ? indent.length * look.size * 0.6 + 10 : 0,
      }),
    )
  })
  const strip = (height: number) => {
    const { left, width, y } = sheet
    ornament(sheet, (doc) => doc.rect(left, y, width, height).fill(COLOURS.tint))
    sheet.y += height
  }
  room(sheet, Math.min(lines.length, 4) * step + 12)
  strip(6)
  for (const { part, shift } of lines) {
    if (roomLeft(sheet) < step) nextPage(sheet)
    const { left, width, y } = sheet
    ornament(sheet, (doc) => doc.rect(left, y - 0.2, width, step + 0.4).fill(COLOURS.tint))
    tagged(sheet, 'Code', () => drawLines(sheet.doc, [part], look, { x: left + 10 + shift, y, width: width - 20 }))
    sheet.y += step
  }
  strip(6)
  sheet.y += after
}

const TONES = { info: COLOURS.night, warning: COLOURS.sun, example: COLOURS.surplus }

function drawTable(sheet: Sheet, { align, head, rows }: Extract<Block, { kind: 'table' }>, prose: Prose) {
  const lengthOf = (cell: Inline[]) =>
    inlineRuns(cell, LOOKS.cell, prose).reduce((sum, { text }) => sum + text.length, 0)
  const columns = head.map((cell, at): Column => {
    const longest = Math.max(...[cell, ...rows.map((row) => row[at] ?? [])].map(lengthOf))
    return {
      head: inlineRuns(cell, LOOKS.headCell, prose),
      part: Math.max(8, Math.min(48, longest)),
      align: align[at] ?? 'start',
    }
  })
  const look = (at: number) => (align[at] === 'end' ? LOOKS.figureCell : LOOKS.cell)
  table(
    sheet,
    columns,
    rows.map((row) => row.map((cell, at) => inlineRuns(cell, look(at), prose))),
  )
}

function drawCall(sheet: Sheet, { title, text, label, href }: Extract<Block, { kind: 'call' }>, prose: Prose) {
  const to = addressOf(href, prose.home)
  const width = sheet.width - 32
  const parts = [
    { look: LOOKS.h3, lines: linesOf(sheet.doc, runsOf(title, LOOKS.h3), width) },
    { look: LOOKS.quiet, lines: text ? linesOf(sheet.doc, runsOf(text, LOOKS.quiet), width) : [] },
    {
      look: LOOKS.body,
      lines: linesOf(
        sheet.doc,
        [{ ...bold(LOOKS.body), colour: COLOURS.link, text: label, ...(to && { link: to }) }],
        width,
      ),
    },
  ]
  const height = parts.reduce((sum, { lines, look }) => sum + heightOf(lines, look), 28)
  room(sheet, height)
  const { left, y } = sheet
  ornament(sheet, (doc) =>
    doc.roundedRect(left, y, sheet.width, height, 6).lineWidth(0.7).fillAndStroke(COLOURS.tint, COLOURS.hairline),
  )
  sheet.y += 14
  for (const { lines, look } of parts) {
    tagged(sheet, 'P', () => drawLines(sheet.doc, lines, look, { x: left + 16, y: sheet.y, width }))
    sheet.y += heightOf(lines, look)
  }
  sheet.y += 26
}

function drawList(sheet: Sheet, { ordered, items }: Extract<Block, { kind: 'list' }>, prose: Prose) {
  for (const [at, item] of items.entries())
    bullet(sheet, ordered ? `${at + 1}.` : '•', () => drawProse(sheet, item, prose, 4), LOOKS.body, ordered ? 18 : 14)
  sheet.y += 4
}

function drawBlock(sheet: Sheet, block: Block, prose: Prose, after: number) {
  switch (block.kind) {
    case 'heading':
      return heading(sheet, block.level, inlineRuns(block.children, { ...LOOKS[`h${block.level}`] }, prose), {
        name: block.id,
      })
    case 'paragraph':
      return paragraph(sheet, inlineRuns(block.children, LOOKS.body, prose), { after })
    case 'list':
      return drawList(sheet, block, prose)
    case 'quote':
      return barred(sheet, COLOURS.rule, () => drawProse(sheet, block.blocks, prose))
    case 'table':
      return drawTable(sheet, block, prose)
    case 'code':
      return codeBlock(sheet, block.text)
    case 'image':
      return paragraph(sheet, block.caption || block.alt, { look: { ...LOOKS.small, face: 'italic' }, align: 'center' })
    case 'rule':
      space(sheet, 6)
      rule(sheet)
      sheet.y += 12
      return
    case 'note':
      return barred(sheet, TONES[block.tone], () => {
        if (block.title) paragraph(sheet, block.title, { look: bold(LOOKS.body), after: 2 })
        drawProse(sheet, block.blocks, prose)
      })
    case 'figures':
      return tiles(sheet, block.items, Math.min(3, Math.max(1, block.items.length)))
    case 'steps':
      for (const [at, { title, blocks }] of block.items.entries())
        bullet(
          sheet,
          String(at + 1),
          () => {
            paragraph(sheet, title, { look: LOOKS.h3, after: 2 })
            drawProse(sheet, blocks, prose)
          },
          LOOKS.h3,
          22,
        )
      return
    case 'call':
      return drawCall(sheet, block, prose)
  }
}

/** Draws a tree of written text; `after` each paragraph. */
export function drawProse(sheet: Sheet, blocks: Block[], prose: Prose, after = 8) {
  for (const block of blocks) drawBlock(sheet, block, prose, after)
}
