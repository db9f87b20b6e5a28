import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const FONT_WEIGHTS = ['400', '500', '600', '700', 'italic'] as const
type FontWeight = (typeof FONT_WEIGHTS)[number]
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
const CACHED_CHARACTERS = [...LATIN_1, ...'’‘“”…–—•€œŒ×−']

/** Words repeat, and computing their kerning is most of the work of a page. */
function cacheLayouts(font: Parsed): Parsed {
  // A glyph is cached as first requested: one first requested as part of a ligature would have no character in later
  // documents, which could then not be searched or read aloud. The glyphs of French texts are requested first, one by
  // one.
  for (const char of CACHED_CHARACTERS) font.glyphForCodePoint(char.codePointAt(0) ?? 0)
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
function hasGlyph(doc: PDFKit.PDFDocument, face: FontFace, point: number): boolean {
  if (isCode(face)) return point < 0x100 || '’“”…–—€œŒ•'.includes(String.fromCodePoint(point))
  if (!parsed.has(face)) setFace(doc, face)
  return parsed.get(face)?.hasGlyphForCodePoint(point) ?? false
}

const ENTRY_BYTES = 20
const padLength = (length: number) => (length + 3) & ~3

type FontTable = { tag: number; checksum: number; data: Buffer }

function readTables(woff: Buffer): FontTable[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * ENTRY_BYTES
    const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ] // three fields were asked for
    const stored = woff.subarray(offset, offset + packed)
    return {
      tag: woff.readUInt32BE(entry),
      checksum: woff.readUInt32BE(entry + 16),
      data: packed < size ? inflateSync(stored) : stored,
    }
  })
}

/** The font as TrueType, decompressed once instead of for every document. */
function unpackWoff(woff: Buffer): Buffer {
  const tables = readTables(woff)
  const directory = 12 + tables.length * 16
  const font = Buffer.alloc(tables.reduce((sum, { data }) => sum + padLength(data.length), directory))
  font.writeUInt32BE(woff.readUInt32BE(4), 0)
  font.writeUInt16BE(tables.length, 4)
  let offset = directory
  for (const [at, { tag, checksum, data }] of tables.entries()) {
    for (const [field, value] of [tag, checksum, offset, data.length].entries())
      font.writeUInt32BE(value, 12 + at * 16 + field * 4)
    data.copy(font, offset)
    offset += padLength(data.length)
  }
  return font
}

/** Replacements of characters missing in the fonts. */
const REPLACEMENTS: Record<string, string> = {
  '\u202f': '\u00a0',
  '\u2011': '-',
  '\u200b': '',
  '→': '›',
  '←': '‹',
  '≤': 'au plus',
  '≥': 'au moins',
  '≈': 'environ',
  '≠': 'différent de',
  '✓': '•',
  '✔': '•',
  '\t': '  ',
}
const SUBSCRIPT_DIGITS = '₀₁₂₃₄₅₆₇₈₉'

type GlyphPart = { text: string; face: FontFace; lowered: boolean }

const removeAccents = (char: string) => char.normalize('NFKD').replace(/\p{M}/gu, '')

function toGlyphPart(doc: PDFKit.PDFDocument, face: FontFace, char: string): GlyphPart {
  const digit = SUBSCRIPT_DIGITS.indexOf(char)
  if (digit >= 0) return { text: String(digit), face, lowered: true }
  const point = char.codePointAt(0) ?? 0
  if (hasGlyph(doc, face, point) || char === '\n') return { text: char, face, lowered: false }
  const other: FontFace = face.startsWith('code') ? face : (`ext-${face}` as FontFace) // a weight in front
  if (hasGlyph(doc, other, point)) return { text: char, face: other, lowered: false }
  const bare = removeAccents(char)
  const kept = [...bare].every((letter) => hasGlyph(doc, face, letter.codePointAt(0) ?? 0))
  return { text: kept ? bare : '', face, lowered: false }
}

const COVERED_BY_MAIN_FONT = /^[\x20-\x7e\u00a0-\u00ff’«»…–—€œŒ×−]*$/

/** The text split by the font that can show it; nothing is drawn as an empty box. */
export function splitByFont(doc: PDFKit.PDFDocument, face: FontFace, text: string): GlyphPart[] {
  if (COVERED_BY_MAIN_FONT.test(text)) return [{ text, face, lowered: false }]
  const parts: GlyphPart[] = []
  for (const char of text) {
    const swapped = REPLACEMENTS[char]
    const part = swapped === undefined ? toGlyphPart(doc, face, char) : { text: swapped, face, lowered: false }
    const last = parts.at(-1)
    if (last && last.face === part.face && last.lowered === part.lowered) last.text += part.text
    else parts.push(part)
  }
  return parts
}
