const MAX_ELEMENTS = 5_000
const MAX_DEPTH = 40
const OPENING_TAG = /<([A-Za-z][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const CLOSING_TAG = /<\/([A-Za-z][\w.:-]*)\s*>/y
const ATTRIBUTE_PATTERN = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** Comments, the declaration of the language, and a type of document that declares nothing itself. */
const SKIPPED_MARKUP = /<!--[\s\S]*?-->|<\?xml[^>]*\?>|<!DOCTYPE[^[>]*>/y
const TEXT_PATTERN = /[^<]+/y
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

class InvalidSvg extends Error {}

/** What is written, as it is read: a name that the document would have to declare makes it another document. */
const decodeEntities = (raw: string) =>
  raw.replace(/&([^;\s]*);?/g, (_, name: string) => {
    const code = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
    const number = code ? Number.parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10) : 0
    if (number > 0x1f && number <= 0x10ffff) return String.fromCodePoint(number)
    if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name] ?? ''
    throw new InvalidSvg(`&${name};`)
  })
const escapeSvg = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')

type SvgState = { out: string[]; open: string[]; left: number; count: number; size: Record<string, string> }
const TEXT_ELEMENTS = new Set(['text', 'tspan', 'title', 'desc'])

function sanitizeAttributes(element: string, raw: string, drawing: SvgState) {
  let kept = ''
  for (const [, given = '', double, single] of raw.matchAll(ATTRIBUTE_PATTERN)) {
    const name = given === 'xlink:href' ? 'href' : given
    const value = sanitizeAttribute(element, name, decodeEntities(double ?? single ?? ''))
    if (value === undefined) continue
    if (drawing.open.length === 0) drawing.size[name] = value
    kept += ` ${name}="${escapeSvg(value)}"`
  }
  return kept
}

/** `left` counts how deep one is in what is left out. */
function openElement(drawing: SvgState, [, name = '', raw = '', closed]: RegExpExecArray) {
  const { open, out } = drawing
  if (++drawing.count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new InvalidSvg('too much')
  if (open.length === 0 && (name !== 'svg' || out.length)) throw new InvalidSvg(name)
  const kept = drawing.left === 0 && isAllowedElement(name)
  if (kept) {
    const root = open.length === 0 ? ' xmlns="http://www.w3.org/2000/svg"' : ''
    out.push(`<${name}${root}${sanitizeAttributes(name, raw, drawing)}${closed ? '/>' : '>'}`)
  }
  if (closed) return
  open.push(name)
  if (!kept) drawing.left++
}

function closeElement(drawing: SvgState, name: string) {
  if (drawing.open.pop() !== name) throw new InvalidSvg(`</${name}>`)
  if (drawing.left > 0) drawing.left--
  else drawing.out.push(`</${name}>`)
}

function addText(drawing: SvgState, raw: string) {
  const inside = drawing.open.at(-1)
  const text = decodeEntities(raw)
  if (!inside && text.trim()) throw new InvalidSvg('text')
  if (drawing.left > 0 || !inside) return
  if (inside === 'style') drawing.out.push(sanitizeStyleSheet(text))
  else if (TEXT_ELEMENTS.has(inside)) drawing.out.push(escapeSvg(text))
}

function parseSvg(text: string): SvgState {
  const drawing: SvgState = { out: [], open: [], left: 0, count: 0, size: {} }
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    if (take(SKIPPED_MARKUP)) continue
    const opened = take(OPENING_TAG)
    if (opened) openElement(drawing, opened)
    else {
      const closed = take(CLOSING_TAG)
      const said = closed ? null : take(TEXT_PATTERN)
      if (closed) closeElement(drawing, closed[1] ?? '')
      else if (said) addText(drawing, said[0])
      else throw new InvalidSvg(text.slice(at, at + 20))
    }
  }
  if (drawing.open.length || !drawing.out.length) throw new InvalidSvg('cut short')
  return drawing
}

function getSize({ viewBox = '', width = '', height = '' }: Record<string, string>) {
  const [, , boxWidth, boxHeight] = viewBox.split(/[\s,]+/).map(Number)
  const [w, h] = [boxWidth || Number.parseFloat(width), boxHeight || Number.parseFloat(height)]
  return w && h && w > 0 && h > 0 ? { width: Math.ceil(w), height: Math.ceil(h) } : undefined
}

/** The drawing written anew from the parts that only draw; undefined where it is none. */
export async function sanitizeSvg(bytes: Buffer) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const { out, size } = parseSvg(text.trim())
    const sides = getSize(size)
    return sides && { ...sides, content: Buffer.from(out.join('')) }
  } catch (error) {
    if (error instanceof InvalidSvg || error instanceof TypeError) return undefined
    throw error
  }
}

/** What draws, and nothing that runs, asks another host, moves, or repeats what is elsewhere. */
const ALLOWED_ELEMENTS = new Set(
  'svg g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath mask style'.split(
    ' ',
  ),
)
const isAllowedElement = (name: string) => ALLOWED_ELEMENTS.has(name)

const STYLE_PROPERTIES =
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color stop-color stop-opacity clip-path clip-rule mask display visibility font-family font-size font-weight font-style letter-spacing text-anchor dominant-baseline mix-blend-mode isolation paint-order vector-effect transform transform-origin'.split(
    ' ',
  )
const GEOMETRY_ATTRIBUTES =
  'id class viewBox preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r rx ry fx fy dx dy d points offset transform gradientTransform gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits mask-type textLength lengthAdjust version'.split(
    ' ',
  )
const ALLOWED_ATTRIBUTES = new Set([...STYLE_PROPERTIES, ...GEOMETRY_ATTRIBUTES])
const ALLOWED_PROPERTIES = new Set(STYLE_PROPERTIES)

const LOCAL_REFERENCE = /^#[\w.-]{1,100}$/
/** A value draws with numbers, names, colours and what stands in the same drawing. */
function isSafeValue(value: string) {
  const own = value.replace(/url\(\s*['"]?#[\w.-]{1,100}['"]?\s*\)/gi, '')
  return /^[\w\s#%.,()'"+/-]*$/.test(own) && !/url|script|expression|import/i.test(own)
}

/** The declarations of a style that only draw. */
const sanitizeDeclarations = (text: string) =>
  text
    .split(';')
    .map((one) => one.split(':').map((part) => part.trim()))
    .filter(
      ([name = '', value = '', more]) =>
        ALLOWED_PROPERTIES.has(name) && value && more === undefined && isSafeValue(value),
    )
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/** The value as it may stand, or nothing. */
function sanitizeAttribute(element: string, name: string, value: string): string | undefined {
  if (name === 'href') return /Gradient$/.test(element) && LOCAL_REFERENCE.test(value) ? value : undefined
  if (name === 'style') return sanitizeDeclarations(value) || undefined
  return ALLOWED_ATTRIBUTES.has(name) && isSafeValue(value) ? value : undefined
}

/** The rules of a style sheet, of plain names alone; what begins with an at sign is none of them. */
const sanitizeStyleSheet = (text: string) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .map(([, names = '', body = '']) => ({ names: names.trim(), body: sanitizeDeclarations(body) }))
    .filter(({ names, body }) => body && /^[.#]?[\w-]+(?:\s*,\s*[.#]?[\w-]+)*$/.test(names))
    .map(({ names, body }) => `${names}{${body}}`)
    .join('')
