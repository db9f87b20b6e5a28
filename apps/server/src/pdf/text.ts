import { setFace } from './fonts.ts'
import { partsOf } from './glyphs.ts'
import type { Line, Look, Piece, Run } from './runs.ts'

const LOWERED = { size: 0.68, drop: 0.16 }

function piecesOf(doc: PDFKit.PDFDocument, run: Run): Piece[] {
  return partsOf(doc, run.face, run.text).flatMap(({ text, face, lowered }) => {
    const size = lowered ? run.size * LOWERED.size : run.size
    const drop = lowered ? run.size * LOWERED.drop : 0
    return text
      .split(/( +|\n)/)
      .filter((part) => part !== '')
      .map((part) => ({
        run,
        face,
        size,
        drop,
        text: part,
        width: part === '\n' ? 0 : widthOf(doc, { ...run, face, size }, part),
      }))
  })
}

const optionsOf = ({ tabular, spacing, size }: Pick<Run, 'tabular' | 'spacing' | 'size'>) => ({
  ...(tabular && { features: ['tnum'] as PDFKit.Mixins.OpenTypeFeatures[] }),
  ...(spacing && { characterSpacing: spacing * size }),
})

function widthOf(doc: PDFKit.PDFDocument, run: Omit<Run, 'text'>, text: string): number {
  setFace(doc, run.face).fontSize(run.size)
  return doc.widthOfString(text, optionsOf(run)) + (run.spacing ?? 0) * run.size
}

/** A word too long for any line, such as an address, is cut where the line ends. */
function cut(doc: PDFKit.PDFDocument, piece: Piece, width: number): Piece[] {
  const cuts: Piece[] = []
  let text = ''
  for (const char of piece.text) {
    if (text && widthOf(doc, piece.run, text + char) > width) {
      cuts.push({ ...piece, text, width: widthOf(doc, piece.run, text) })
      text = ''
    }
    text += char
  }
  return [...cuts, { ...piece, text, width: widthOf(doc, piece.run, text) }]
}

const sum = (pieces: Piece[]) => pieces.reduce((total, { width }) => total + width, 0)

/** A word with the gap before it; `turn`: it begins a line. */
type Token = { word: Piece[]; gap: Piece | undefined; turn: boolean }

function tokensOf(pieces: Piece[]): Token[] {
  const tokens: Token[] = []
  let next: Token = { word: [], gap: undefined, turn: false }
  const close = (gap: Piece | undefined, turn: boolean) => {
    // An empty line is a token too.
    if (next.word.length || next.turn) tokens.push(next)
    next = { word: [], gap, turn }
  }
  for (const piece of pieces) {
    if (piece.text === '\n') close(undefined, true)
    else if (!/^ +$/.test(piece.text)) next.word.push(piece)
    else if (next.word.length) close(piece, false)
  }
  close(undefined, false)
  return tokens
}

/** Breaks runs into lines of at most `width`. */
export function linesOf(doc: PDFKit.PDFDocument, runs: Run[], width: number): Line[] {
  let line: Line = { pieces: [], width: 0 }
  const lines = [line]
  const turn = () => {
    line = { pieces: [], width: 0 }
    lines.push(line)
  }
  const put = (pieces: Piece[]) => {
    line.pieces.push(...pieces)
    line.width += sum(pieces)
  }
  for (const token of tokensOf(runs.flatMap((run) => piecesOf(doc, run)))) {
    const wide = sum(token.word)
    const gap = token.gap && line.pieces.length ? token.gap : undefined
    if (token.turn || (line.pieces.length && line.width + (gap?.width ?? 0) + wide > width)) turn()
    else if (gap) put([gap])
    if (wide <= width) put(token.word)
    else
      for (const part of token.word.flatMap((piece) => cut(doc, piece, width))) {
        if (line.pieces.length && line.width + part.width > width) turn()
        put([part])
      }
  }
  return lines
}

/** Neighbours of the same look are written at once. */
function joined(pieces: Piece[]): Piece[] {
  const found: Piece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last && last.run === piece.run && last.face === piece.face && last.size === piece.size)
      Object.assign(last, { text: last.text + piece.text, width: last.width + piece.width })
    else found.push({ ...piece })
  }
  return found
}

function drawLink(doc: PDFKit.PDFDocument, link: string, x: number, baseline: number, { width, size }: Piece) {
  const box = [x, baseline - size * 0.85, width, size * 1.15] as const
  if (link.startsWith('#')) doc.goTo(...box, link.slice(1))
  else doc.link(...box, link)
}

/** Writes one line with its baseline at `baseline`. */
export function drawLine(doc: PDFKit.PDFDocument, line: Line, x: number, baseline: number) {
  let at = x
  for (const piece of joined(line.pieces)) {
    const { run, face, size, drop, text, width } = piece
    setFace(doc, face).fontSize(size).fillColor(run.colour)
    doc.text(text, at, baseline + drop, { lineBreak: false, baseline: 'alphabetic', ...optionsOf({ ...run, size }) })
    if (run.link) drawLink(doc, run.link, at, baseline, piece)
    at += width
  }
}

/** How wide a text is on one line, as it will be drawn. */
export const measure = (doc: PDFKit.PDFDocument, look: Look, text: string): number =>
  linesOf(doc, [{ ...look, text }], Number.POSITIVE_INFINITY)[0]?.width ?? 0
