import type { Face } from './fonts.ts'
import { COLOURS } from './look.ts'

export type Look = {
  face: Face
  size: number
  colour: string
  /** Of the size, from one baseline to the next. */
  leading: number
  /** Of the size, added between letters. */
  spacing?: number
  /** Digits of one width, for columns of figures. */
  tabular?: boolean
}
/** `link`: an address, or `#name` of a place in the document. */
export type Run = Look & { text: string; link?: string }
export type Piece = { run: Run; face: Face; size: number; drop: number; text: string; width: number }
export type Line = { pieces: Piece[]; width: number }

const look = (face: Face, size: number, colour: string, leading: number, more: Partial<Look> = {}): Look => ({
  face,
  size,
  colour,
  leading,
  ...more,
})

export const LOOKS = {
  display: look('700', 26, COLOURS.ink, 1.18, { spacing: -0.02 }),
  title: look('700', 22, COLOURS.ink, 1.2, { spacing: -0.02 }),
  h2: look('600', 14, COLOURS.ink, 1.3, { spacing: -0.01 }),
  h3: look('600', 11, COLOURS.ink, 1.35),
  h4: look('600', 9.5, COLOURS.quiet, 1.4),
  lead: look('400', 11.5, COLOURS.quiet, 1.5),
  body: look('400', 9.5, COLOURS.ink, 1.55),
  quiet: look('400', 9.5, COLOURS.quiet, 1.55),
  small: look('400', 7.5, COLOURS.faint, 1.5),
  label: look('500', 8, COLOURS.quiet, 1.35),
  cell: look('400', 8.5, COLOURS.ink, 1.4),
  figureCell: look('400', 8.5, COLOURS.ink, 1.4, { tabular: true }),
  headCell: look('600', 8, COLOURS.quiet, 1.4),
  figure: look('700', 19, COLOURS.ink, 1.15, { spacing: -0.02 }),
  unit: look('500', 9.5, COLOURS.faint, 1.15),
  code: look('code', 8, COLOURS.ink, 1.45),
} as const satisfies Record<string, Look>

/** A text, or runs already styled. */
export type Words = string | Run[]

export const runsOf = (words: Words, base: Look): Run[] =>
  typeof words === 'string' ? [{ ...base, text: words }] : words
export const bold = (base: Look): Look => ({ ...base, face: base.face === 'code' ? 'code-bold' : '600' })

/** `**strong**` in our own sentences. */
export const marked = (text: string, base: Look): Run[] =>
  text
    .split('**')
    .map((part, at) => ({ ...(at % 2 ? bold(base) : base), text: part }))
    .filter((run) => run.text !== '')
