import type { FontFace } from './fonts.ts'
import { COLOURS } from './look.ts'

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
export type TextPiece = { run: TextRun; face: FontFace; size: number; drop: number; text: string; width: number }
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
