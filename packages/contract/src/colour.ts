type Rgb = { r: number; g: number; b: number }
type Oklch = { l: number; c: number; h: number }

/** Reads #RGB or #RRGGBB; null for anything else. */
export function parseHex(text: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim())
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim())
  const parts = short ? short.slice(1).map((digit) => digit + digit) : long?.slice(1)
  if (!parts) return null
  const [r = 0, g = 0, b = 0] = parts.map((part) => Number.parseInt(part, 16))
  return { r, g, b }
}

const toHexByte = (value: number) =>
  Math.round(Math.min(255, Math.max(0, value)))
    .toString(16)
    .padStart(2, '0')
export const toHex = ({ r, g, b }: Rgb) => `#${toHexByte(r)}${toHexByte(g)}${toHexByte(b)}`.toUpperCase()

const toLinearChannel = (channel: number) => {
  const s = channel / 255
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
}
const toSrgbChannel = (value: number) => 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const requireRgb = (hex: string) => {
  const rgb = parseHex(hex)
  if (!rgb) throw new RangeError(`Not a hexadecimal colour: ${hex}`)
  return rgb
}

/** WCAG 2.2 relative luminance, 0 to 1. */
export function computeLuminance(hex: string) {
  const { r, g, b } = requireRgb(hex)
  return 0.2126 * toLinearChannel(r) + 0.7152 * toLinearChannel(g) + 0.0722 * toLinearChannel(b)
}

/** WCAG 2.2 contrast ratio, 1 to 21. */
export function computeContrast(a: string, b: string) {
  const [low = 0, high = 0] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** Text colour on a theme-coloured surface: black above luminance 0.5, white below. */
export const getTextColour = (hex: string) => (computeLuminance(hex) > 0.5 ? '#000000' : '#FFFFFF')

function toOklch(hex: string): Oklch {
  const rgb = requireRgb(hex)
  const [r, g, b] = [toLinearChannel(rgb.r), toLinearChannel(rgb.g), toLinearChannel(rgb.b)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: lightness, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

function fromOklch({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return {
    r: toSrgbChannel(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    g: toSrgbChannel(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    b: toSrgbChannel(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  }
}

/** The same hue, darkened in OKLCH until it is readable on white. */
export function toTextTone(hex: string, minimum = 4.5) {
  let tone = toHex(requireRgb(hex))
  const start = toOklch(hex)
  for (let l = start.l; computeContrast(tone, '#FFFFFF') < minimum && l > 0; l -= 0.005)
    tone = toHex(fromOklch({ ...start, l, c: start.c * Math.min(1, l / start.l + 0.1) }))
  return tone
}

/**
 * Contrast for links and small text, which also appear on the page grey and on an 8 % tint of themselves; both lower
 * it.
 */
export const MIN_INK_CONTRAST = 5.1

/** A paler surface cannot be distinguished from the page. */
const MIN_VISIBLE_CONTRAST = 1.3

/** A surface without text: the colour itself if it can be distinguished from the page, else its darkened tone. */
export const toVisibleTone = (hex: string) =>
  computeContrast(hex, '#FFFFFF') >= MIN_VISIBLE_CONTRAST ? toHex(requireRgb(hex)) : toTextTone(hex, MIN_INK_CONTRAST)

/**
 * The background of a button: the colour itself if it is visible and text on it is readable, else its darkened tone.
 */
export const toButtonTone = (hex: string) =>
  computeContrast(hex, getTextColour(hex)) >= 4.5 ? toVisibleTone(hex) : toTextTone(hex, MIN_INK_CONTRAST)
