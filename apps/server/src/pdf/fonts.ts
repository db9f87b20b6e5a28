import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { unpackWoff } from './woff.ts'

export const FONT_WEIGHTS = ['400', '500', '600', '700', 'italic'] as const
export type FontWeight = (typeof FONT_WEIGHTS)[number]
/** `ext` has letters of other Latin alphabets; `code` is one of the standard PDF fonts. */
export type FontFace = FontWeight | `ext-${FontWeight}` | 'code' | 'code-bold'

type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }
type Layout = { glyphs: unknown[]; positions: Position[]; readonly advanceWidth: number }
/** A parsed font file, cached between documents, because parsing takes longer than writing a page. */
type Parsed = {
  layout(text: string, features?: string[] | Record<string, boolean>): Layout
  hasGlyphForCodePoint(point: number): boolean
  glyphForCodePoint(point: number): unknown
}
type Holder = { _font: { font: Parsed } }

const MAX_CACHED_WORDS = 20_000
const LATIN_1 = Array.from({ length: 0xe0 }, (_, at) => String.fromCharCode(0x20 + at))
const ORDINARY = [...LATIN_1, ...'’‘“”…–—•€œŒ×−']

/** Words repeat, and computing their kerning is most of the work of a page. */
function cacheLayouts(font: Parsed): Parsed {
  // A glyph is cached as first requested: one first requested as part of a ligature would have no character in later
  // documents, which could then not be searched or read aloud. The glyphs of French texts are requested first, one by
  // one.
  for (const char of ORDINARY) font.glyphForCodePoint(char.codePointAt(0) ?? 0)
  const known = new Map<string, Layout>()
  const layout = font.layout.bind(font)
  font.layout = (text, features) => {
    const wanted = Array.isArray(features) ? features : []
    const key = `${wanted.join()} ${text}`
    let found = known.get(key)
    if (!found) {
      if (known.size >= MAX_CACHED_WORDS) known.clear()
      // With kerning, a comma would move below the 7 before it and be overlooked in an amount.
      const kern = !/\d[.,]\d/.test(text)
      found = layout(text, { calt: false, kern, ...Object.fromEntries(wanted.map((feature) => [feature, true])) })
      known.set(key, found)
    }
    // Copied, because the caller scales positions in place.
    const positions = found.positions.map((position) => ({ ...position }))
    return {
      glyphs: found.glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }
  return font
}

const { resolve } = createRequire(import.meta.url)
const parsed = new Map<FontFace, Parsed>()

const CODE = { code: 'Courier', 'code-bold': 'Courier-Bold' } as const
const isCode = (face: FontFace): face is keyof typeof CODE => face in CODE

function getFontFile(face: FontFace) {
  const subset = face.startsWith('ext-') ? 'latin-ext' : 'latin'
  const weight = face.replace('ext-', '')
  const name = weight === 'italic' ? '400-italic' : `${weight}-normal`
  return resolve(`@fontsource/inter/files/inter-${subset}-${name}.woff`)
}

/** Sets the current font of the document; a font file is read at its first use. */
export function setFace(doc: PDFKit.PDFDocument, face: FontFace) {
  if (isCode(face)) return doc.font(CODE[face])
  const source = parsed.get(face) ?? unpackWoff(readFileSync(getFontFile(face)))
  doc.registerFont(face, source as Buffer).font(face) // pdfkit takes a parsed font too; its types do not say so
  if (!parsed.has(face)) parsed.set(face, cacheLayouts((doc as unknown as Holder)._font.font)) // nor what it keeps
  return doc
}

/** Whether the face can show the character. */
export function hasGlyph(doc: PDFKit.PDFDocument, face: FontFace, point: number): boolean {
  if (isCode(face)) return point < 0x100 || '’“”…–—€œŒ•'.includes(String.fromCodePoint(point))
  if (!parsed.has(face)) setFace(doc, face)
  return parsed.get(face)?.hasGlyphForCodePoint(point) ?? false
}
