import { isElement, keptAttribute, keptStyles } from './picture-svg-rules.ts'

const MOST_ELEMENTS = 5_000
const MOST_DEPTH = 40
const OPENING = /<([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const CLOSING = /<\/([A-Za-z][\w.:-]*)\s*>/y
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** Comments, the declaration of the language, and a type of document that declares nothing itself. */
const PASSED = /<!--[\s\S]*?-->|<\?xml[^>]*\?>|<!DOCTYPE[^[>]*>/y
const TEXT = /[^<]+/y
const NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

class NotDrawn extends Error {}

/** What is written, as it is read: a name that the document would have to declare makes it another document. */
const read = (raw: string) =>
  raw.replace(/&([^;\s]*);?/g, (_, name: string) => {
    const code = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
    const number = code ? Number.parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10) : 0
    if (number > 0x1f && number <= 0x10ffff) return String.fromCodePoint(number)
    if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? ''
    throw new NotDrawn(`&${name};`)
  })
const write = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')

type Drawing = { out: string[]; open: string[]; left: number; count: number; size: Record<string, string> }
const SPEAKING = new Set(['text', 'tspan', 'title', 'desc'])

function attributes(element: string, raw: string, drawing: Drawing) {
  let kept = ''
  for (const [, given = '', double, single] of raw.matchAll(ATTRIBUTE)) {
    const name = given === 'xlink:href' ? 'href' : given
    const value = keptAttribute(element, name, read(double ?? single ?? ''))
    if (value === undefined) continue
    if (drawing.open.length === 0) drawing.size[name] = value
    kept += ` ${name}="${write(value)}"`
  }
  return kept
}

/** `left` counts how deep one is in what is left out. */
function enter(drawing: Drawing, [, name = '', raw = '', closed]: RegExpExecArray) {
  const { open, out } = drawing
  if (++drawing.count > MOST_ELEMENTS || open.length > MOST_DEPTH) throw new NotDrawn('too much')
  if (open.length === 0 && (name !== 'svg' || out.length)) throw new NotDrawn(name)
  const kept = drawing.left === 0 && isElement(name)
  if (kept) {
    const root = open.length === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : ''
    out.push(`<${name}${root}${attributes(name, raw, drawing)}${closed ? '/>' : '>'}`)
  }
  if (closed) return
  open.push(name)
  if (!kept) drawing.left++
}

function leave(drawing: Drawing, name: string) {
  if (drawing.open.pop() !== name) throw new NotDrawn(`</${name}>`)
  if (drawing.left > 0) drawing.left--
  else drawing.out.push(`</${name}>`)
}

function say(drawing: Drawing, raw: string) {
  const inside = drawing.open.at(-1)
  const text = read(raw)
  if (!inside && text.trim()) throw new NotDrawn('text')
  if (drawing.left > 0 || !inside) return
  if (inside === 'style') drawing.out.push(keptStyles(text))
  else if (SPEAKING.has(inside)) drawing.out.push(write(text))
}

function walk(text: string): Drawing {
  const drawing: Drawing = { out: [], open: [], left: 0, count: 0, size: {} }
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    if (take(PASSED)) continue
    const opened = take(OPENING)
    if (opened) enter(drawing, opened)
    else {
      const closed = take(CLOSING)
      const said = closed ? null : take(TEXT)
      if (closed) leave(drawing, closed[1] ?? '')
      else if (said) say(drawing, said[0])
      else throw new NotDrawn(text.slice(at, at + 20))
    }
  }
  if (drawing.open.length || !drawing.out.length) throw new NotDrawn('cut short')
  return drawing
}

function sizeOf({ viewBox = '', width = '', height = '' }: Record<string, string>) {
  const [, , boxWidth, boxHeight] = viewBox.split(/[\s,]+/).map(Number)
  const [w, h] = [boxWidth || Number.parseFloat(width), boxHeight || Number.parseFloat(height)]
  return w && h && w > 0 && h > 0 ? { width: Math.ceil(w), height: Math.ceil(h) } : undefined
}

/** The drawing written anew from the parts that only draw; undefined where it is none. */
export async function readSvg(bytes: Buffer) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const { out, size } = walk(text.trim())
    const sides = sizeOf(size)
    return sides && { ...sides, content: Buffer.from(out.join('')) }
  } catch (error) {
    if (error instanceof NotDrawn || error instanceof TypeError) return undefined
    throw error
  }
}
