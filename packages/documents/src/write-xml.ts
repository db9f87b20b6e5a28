type Attributes = Record<string, string>
/** Raw markup; text is escaped. */
export type Xml = { readonly markup: string }
type Child = Xml | string | null

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 does not allow are removed. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
const escapeText = (text: string) => text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)

const toMarkup = (child: Child) => (child === null ? '' : typeof child === 'string' ? escapeText(child) : child.markup)

/** An element; null children are left out. */
export function buildElement(name: string, children: readonly Child[] | string, attributes: Attributes = {}): Xml {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`)
  const body = (typeof children === 'string' ? [children] : children).map(toMarkup).join('')
  return { markup: `<${name}${given.join('')}>${body}</${name}>` }
}

/** Null without text: an empty element is an error in an invoice. */
export const buildOptionalElement = (name: string, text: string, attributes?: Attributes): Xml | null =>
  text.trim() === '' ? null : buildElement(name, text, attributes)
export const joinElements = (parts: readonly (Xml | null)[]): Xml => ({
  markup: parts.map((part) => part?.markup ?? '').join(''),
})
