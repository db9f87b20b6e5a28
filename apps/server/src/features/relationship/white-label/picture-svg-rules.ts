/** What draws, and nothing that runs, asks another host, moves, or repeats what is elsewhere. */
const ELEMENTS = new Set(
  'svg g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath mask style'.split(
    ' ',
  ),
)
export const isElement = (name: string) => ELEMENTS.has(name)

const STYLES =
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color stop-color stop-opacity clip-path clip-rule mask display visibility font-family font-size font-weight font-style letter-spacing text-anchor dominant-baseline mix-blend-mode isolation paint-order vector-effect transform transform-origin'.split(
    ' ',
  )
const PLACES =
  'id class viewBox preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r rx ry fx fy dx dy d points offset transform gradientTransform gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits mask-type textLength lengthAdjust version'.split(
    ' ',
  )
const ATTRIBUTES = new Set([...STYLES, ...PLACES])
const PROPERTIES = new Set(STYLES)

const HERE = /^#[\w.-]{1,100}$/
/** A value draws with numbers, names, colours and what stands in the same drawing. */
function isPlain(value: string) {
  const own = value.replace(/url\(\s*['"]?#[\w.-]{1,100}['"]?\s*\)/gi, '')
  return /^[\w\s#%.,()'"+/-]*$/.test(own) && !/url|script|expression|import/i.test(own)
}

/** The declarations of a style that only draw. */
const declarations = (text: string) =>
  text
    .split(';')
    .map((one) => one.split(':').map((part) => part.trim()))
    .filter(([name = '', value = '', more]) => PROPERTIES.has(name) && value && more === undefined && isPlain(value))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

/** The value as it may stand, or nothing. */
export function keptAttribute(element: string, name: string, value: string): string | undefined {
  if (name === 'href') return /Gradient$/.test(element) && HERE.test(value) ? value : undefined
  if (name === 'style') return declarations(value) || undefined
  return ATTRIBUTES.has(name) && isPlain(value) ? value : undefined
}

/** The rules of a style sheet, of plain names alone; what begins with an at sign is none of them. */
export const keptStyles = (text: string) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .map(([, names = '', body = '']) => ({ names: names.trim(), body: declarations(body) }))
    .filter(({ names, body }) => body && /^[.#]?[\w-]+(?:\s*,\s*[.#]?[\w-]+)*$/.test(names))
    .map(({ names, body }) => `${names}{${body}}`)
    .join('')
