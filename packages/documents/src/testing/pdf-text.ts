import { inflateSync } from 'node:zlib'

type PdfObjects = Map<string, { head: string; stream: string }>
/** One byte per character: offsets and binary parts are preserved. */
const toLatin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function parsePdfObjects(pdf: Uint8Array): PdfObjects {
  const found: PdfObjects = new Map()
  for (const [, id = '', body = ''] of toLatin1(pdf).matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, head = body, raw] = /^([\s\S]*?)\nstream\n([\s\S]*?)\nendstream$/.exec(body) ?? []
    const packed = raw !== undefined && head.includes('/FlateDecode')
    const stream = packed ? toLatin1(inflateSync(Buffer.from(raw, 'latin1'))) : (raw ?? '')
    found.set(id, { head, stream })
  }
  return found
}

const decodeHex = (hex: string) =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)))

/** The text of each glyph of a font; null where codes are characters. */
function findGlyphTexts(objects: PdfObjects, font: string): string[] | null {
  const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '')?.[1]
  if (!map) return null
  const glyphs: string[] = []
  for (const [, first = '0', list = ''] of (objects.get(map)?.stream ?? '').matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g))
    for (const [at, [, hex = '']] of [...list.matchAll(/<(\w*)>/g)].entries())
      glyphs[Number.parseInt(first, 16) + at] = decodeHex(hex)
  return glyphs
}

/** The text of a PDF made by the server, in drawing order, with one space between pieces. */
export function extractPdfText(pdf: Uint8Array): string {
  const objects = parsePdfObjects(pdf)
  const fonts = new Map<string, string[] | null>()
  for (const { head } of objects.values())
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, findGlyphTexts(objects, id))
  const pieces: string[] = []
  for (const { stream } of objects.values()) {
    let font: string[] | null = null
    for (const [, name, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = fonts.get(name) ?? null
      const hex = [...(shown ?? '').matchAll(/<(\w*)>/g)].map(([, part = '']) => part).join('')
      if (hex)
        pieces.push(
          font
            ? (hex.match(/.{4}/g) ?? []).map((code) => font?.[Number.parseInt(code, 16)] ?? '□').join('')
            : Buffer.from(hex, 'hex').toString('latin1'),
        )
    }
  }
  return pieces.join(' ')
}

export const countPdfPages = (pdf: Uint8Array) => (toLatin1(pdf).match(/\/Type \/Page\n/g) ?? []).length
