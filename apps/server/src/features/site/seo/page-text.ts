/** The words of a page, as somebody reads them. */
export type PageText = { title: string; heading: string; paragraphs: string[]; headings: string[] }

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

const decodeEntities = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const htmlToText = (html: string) =>
  decodeEntities(html.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' '))
    .replace(/[ \n\r\t]+/g, ' ')
    .replace(/ ([.,…)])/g, '$1')
    .trim()

const listTagTexts = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>(.*?)</${tag}>`, 'gs'))].map(([, inner = '']) => htmlToText(inner))

/** What says of the text when it was written, and what leads to others. */
const ASIDE_PATTERN = /<(p)\b[^>]*\bdata-facts\b.*?<\/\1>|<section\b[^>]*aria-labelledby="related".*?<\/section>/gs

/** From a page that this server rendered itself: its own well-formed HTML, not anybody's. */
export function extractPageText(html: string): PageText {
  const main = (/<main(?:\s[^>]*)?>(.*)<\/main>/s.exec(html)?.[1] ?? '')
    .replace(ASIDE_PATTERN, ' ')
    .replace(/<(script|style|svg|nav|form|button)\b.*?<\/\1>/gs, ' ')
  return {
    title: listTagTexts(html, 'title')[0] ?? '',
    heading: listTagTexts(main, 'h1')[0] ?? '',
    headings: listTagTexts(main, 'h[23]').filter(Boolean),
    paragraphs: listTagTexts(main, 'p').filter((text) => text.length > 20),
  }
}
