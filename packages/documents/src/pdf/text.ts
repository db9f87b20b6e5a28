import { type FontFace, setFace, splitByFont } from './fonts.ts'
import { COLOURS } from './style.ts'

const SUBSCRIPT_SCALE = { size: 0.68, drop: 0.16 }

function toPieces(doc: PDFKit.PDFDocument, run: TextRun): TextPiece[] {
  return splitByFont(doc, run.face, run.text).flatMap(({ text, face, lowered }) => {
    const size = lowered ? run.size * SUBSCRIPT_SCALE.size : run.size
    const drop = lowered ? run.size * SUBSCRIPT_SCALE.drop : 0
    return text
      .split(/( +|\n)/)
      .filter((part) => part !== '')
      .map((part) => ({
        run,
        face,
        size,
        drop,
        text: part,
        width: part === '\n' ? 0 : measureWidth(doc, { ...run, face, size }, part),
      }))
  })
}

const getTextOptions = ({ tabular, spacing, size }: Pick<TextRun, 'tabular' | 'spacing' | 'size'>) => ({
  ...(tabular && { features: ['tnum'] as PDFKit.Mixins.OpenTypeFeatures[] }),
  ...(spacing && { characterSpacing: spacing * size }),
})

function measureWidth(doc: PDFKit.PDFDocument, run: Omit<TextRun, 'text'>, text: string): number {
  setFace(doc, run.face).fontSize(run.size)
  return doc.widthOfString(text, getTextOptions(run)) + (run.spacing ?? 0) * run.size
}

/** A word longer than a line, such as a URL, is cut at the end of the line. */
function splitLongWord(doc: PDFKit.PDFDocument, piece: TextPiece, width: number): TextPiece[] {
  const cuts: TextPiece[] = []
  let text = ''
  for (const char of piece.text) {
    if (text && measureWidth(doc, piece.run, text + char) > width) {
      cuts.push({ ...piece, text, width: measureWidth(doc, piece.run, text) })
      text = ''
    }
    text += char
  }
  return [...cuts, { ...piece, text, width: measureWidth(doc, piece.run, text) }]
}

const sumWidths = (pieces: TextPiece[]) => pieces.reduce((total, { width }) => total + width, 0)

/** A word with the space before it; `turn`: it starts a line. */
type WordToken = { word: TextPiece[]; gap: TextPiece | undefined; turn: boolean }

function toTokens(pieces: TextPiece[]): WordToken[] {
  const tokens: WordToken[] = []
  let next: WordToken = { word: [], gap: undefined, turn: false }
  const close = (gap: TextPiece | undefined, turn: boolean) => {
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
export function breakLines(doc: PDFKit.PDFDocument, runs: TextRun[], width: number): TextLine[] {
  let line: TextLine = { pieces: [], width: 0 }
  const lines = [line]
  const turn = () => {
    line = { pieces: [], width: 0 }
    lines.push(line)
  }
  const put = (pieces: TextPiece[]) => {
    line.pieces.push(...pieces)
    line.width += sumWidths(pieces)
  }
  for (const token of toTokens(runs.flatMap((run) => toPieces(doc, run)))) {
    const wide = sumWidths(token.word)
    const gap = token.gap && line.pieces.length ? token.gap : undefined
    if (token.turn || (line.pieces.length && line.width + (gap?.width ?? 0) + wide > width)) turn()
    else if (gap) put([gap])
    if (wide <= width) put(token.word)
    else
      for (const part of token.word.flatMap((piece) => splitLongWord(doc, piece, width))) {
        if (line.pieces.length && line.width + part.width > width) turn()
        put([part])
      }
  }
  return lines
}

/** Neighbours of the same style are written at once. */
function mergePieces(pieces: TextPiece[]): TextPiece[] {
  const found: TextPiece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last && last.run === piece.run && last.face === piece.face && last.size === piece.size)
      Object.assign(last, { text: last.text + piece.text, width: last.width + piece.width })
    else found.push({ ...piece })
  }
  return found
}

function drawLink(doc: PDFKit.PDFDocument, link: string, x: number, baseline: number, { width, size }: TextPiece) {
  const box = [x, baseline - size * 0.85, width, size * 1.15] as const
  if (link.startsWith('#')) doc.goTo(...box, link.slice(1))
  else doc.link(...box, link)
}

/** Writes one line with its baseline at `baseline`. */
export function drawLine(doc: PDFKit.PDFDocument, line: TextLine, x: number, baseline: number) {
  let at = x
  for (const piece of mergePieces(line.pieces)) {
    const { run, face, size, drop, text, width } = piece
    setFace(doc, face).fontSize(size).fillColor(run.colour)
    doc.text(text, at, baseline + drop, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...getTextOptions({ ...run, size }),
    })
    if (run.link) drawLink(doc, run.link, at, baseline, piece)
    at += width
  }
}

/** How wide a text is on one line, as it will be drawn. */
export const measureText = (doc: PDFKit.PDFDocument, look: TextStyle, text: string): number =>
  breakLines(doc, [{ ...look, text }], Number.POSITIVE_INFINITY)[0]?.width ?? 0

export type TextStyle = {
  face: FontFace
  size: number
  colour: string
  /** Line height, as a factor of the size. */
  leading: number
  /** Letter spacing, as a factor of the size. */
  spacing?: number
  /** Tabular digits, for columns of figures. */
  tabular?: boolean
}
/** `link`: an address, or `#name` of a place in the document. */
export type TextRun = TextStyle & { text: string; link?: string }
type TextPiece = { run: TextRun; face: FontFace; size: number; drop: number; text: string; width: number }
export type TextLine = { pieces: TextPiece[]; width: number }

const createTextStyle = (
  face: FontFace,
  size: number,
  colour: string,
  leading: number,
  more: Partial<TextStyle> = {},
): TextStyle => ({
  face,
  size,
  colour,
  leading,
  ...more,
})

export const TEXT_STYLES = {
  display: createTextStyle('700', 26, COLOURS.ink, 1.18, { spacing: -0.02 }),
  title: createTextStyle('700', 22, COLOURS.ink, 1.2, { spacing: -0.02 }),
  h2: createTextStyle('600', 14, COLOURS.ink, 1.3, { spacing: -0.01 }),
  h3: createTextStyle('600', 11, COLOURS.ink, 1.35),
  h4: createTextStyle('600', 9.5, COLOURS.quiet, 1.4),
  lead: createTextStyle('400', 11.5, COLOURS.quiet, 1.5),
  body: createTextStyle('400', 9.5, COLOURS.ink, 1.55),
  quiet: createTextStyle('400', 9.5, COLOURS.quiet, 1.55),
  small: createTextStyle('400', 7.5, COLOURS.faint, 1.5),
  label: createTextStyle('500', 8, COLOURS.quiet, 1.35),
  cell: createTextStyle('400', 8.5, COLOURS.ink, 1.4),
  figureCell: createTextStyle('400', 8.5, COLOURS.ink, 1.4, { tabular: true }),
  headCell: createTextStyle('600', 8, COLOURS.quiet, 1.4),
  figure: createTextStyle('700', 19, COLOURS.ink, 1.15, { spacing: -0.02 }),
  unit: createTextStyle('500', 9.5, COLOURS.faint, 1.15),
  code: createTextStyle('code', 8, COLOURS.ink, 1.45),
} as const satisfies Record<string, TextStyle>

/** A text, or runs already styled. */
export type RichText = string | TextRun[]

export const toTextRuns = (words: RichText, base: TextStyle): TextRun[] =>
  typeof words === 'string' ? [{ ...base, text: words }] : words
export const toBold = (base: TextStyle): TextStyle => ({ ...base, face: base.face === 'code' ? 'code-bold' : '600' })

/** Parses `**strong**` in our own sentences. */
export const parseBoldMarkup = (text: string, base: TextStyle): TextRun[] =>
  text
    .split('**')
    .map((part, at) => ({ ...(at % 2 ? toBold(base) : base), text: part }))
    .filter((run) => run.text !== '')
