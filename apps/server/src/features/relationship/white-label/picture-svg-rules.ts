/** What draws, and nothing that runs, asks another host, moves, or repeats what is elsewhere. */
const ALLOWED_ELEMENTS = new Set(
  'svg g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath mask style'.split(
    ' ',
  ),
)
export const isAllowedElement = (name: string) => ALLOWED_ELEMENTS.has(name)

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
export function sanitizeAttribute(element: string, name: string, value: string): string | undefined {
  if (name === 'href') return /Gradient$/.test(element) && LOCAL_REFERENCE.test(value) ? value : undefined
  if (name === 'style') return sanitizeDeclarations(value) || undefined
  return ALLOWED_ATTRIBUTES.has(name) && isSafeValue(value) ? value : undefined
}

/** The rules of a style sheet, of plain names alone; what begins with an at sign is none of them. */
export const sanitizeStyleSheet = (text: string) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .map(([, names = '', body = '']) => ({ names: names.trim(), body: sanitizeDeclarations(body) }))
    .filter(({ names, body }) => body && /^[.#]?[\w-]+(?:\s*,\s*[.#]?[\w-]+)*$/.test(names))
    .map(({ names, body }) => `${names}{${body}}`)
    .join('')
