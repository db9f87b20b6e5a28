import { type FontFace, hasGlyph } from './fonts.ts'

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

export type GlyphPart = { text: string; face: FontFace; lowered: boolean }

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

const ORDINARY = /^[\x20-\x7e\u00a0-\u00ff’«»…–—€œŒ×−]*$/

/** The text split by the font that can show it; nothing is drawn as an empty box. */
export function splitByFont(doc: PDFKit.PDFDocument, face: FontFace, text: string): GlyphPart[] {
  if (ORDINARY.test(text)) return [{ text, face, lowered: false }]
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
