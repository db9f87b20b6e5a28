import { type Face, shows } from './fonts.ts'

/** What the fonts lack, said otherwise. */
const SWAPS: Record<string, string> = {
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
const LOWERED = '₀₁₂₃₄₅₆₇₈₉'

export type Part = { text: string; face: Face; lowered: boolean }

const plain = (char: string) => char.normalize('NFKD').replace(/\p{M}/gu, '')

function partOf(doc: PDFKit.PDFDocument, face: Face, char: string): Part {
  const digit = LOWERED.indexOf(char)
  if (digit >= 0) return { text: String(digit), face, lowered: true }
  const point = char.codePointAt(0) ?? 0
  if (shows(doc, face, point) || char === '\n') return { text: char, face, lowered: false }
  const other: Face = face.startsWith('code') ? face : (`ext-${face}` as Face) // a weight in front
  if (shows(doc, other, point)) return { text: char, face: other, lowered: false }
  const bare = plain(char)
  const kept = [...bare].every((letter) => shows(doc, face, letter.codePointAt(0) ?? 0))
  return { text: kept ? bare : '', face, lowered: false }
}

const ORDINARY = /^[\x20-\x7e\u00a0-\u00ff’«»…–—€œŒ×−]*$/

/** The text in pieces that the fonts can show; nothing is ever drawn as an empty box. */
export function partsOf(doc: PDFKit.PDFDocument, face: Face, text: string): Part[] {
  if (ORDINARY.test(text)) return [{ text, face, lowered: false }]
  const parts: Part[] = []
  for (const char of text) {
    const swapped = SWAPS[char]
    const part = swapped === undefined ? partOf(doc, face, char) : { text: swapped, face, lowered: false }
    const last = parts.at(-1)
    if (last && last.face === part.face && last.lowered === part.lowered) last.text += part.text
    else parts.push(part)
  }
  return parts
}
