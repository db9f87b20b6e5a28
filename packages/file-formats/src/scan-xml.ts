import { FileRefusedError } from './curve-file-types.ts'
import { createRefusal } from './unsupported-files.ts'

type XmlHandlers = {
  /** `attributes` is their raw text, see `attribute` */
  open(name: string, attributes: string): void
  /** `text` is what stands between the last two tags: the whole content of a leaf */
  close(name: string, text: string): void
}

const createMalformedError = (line: number) =>
  new FileRefusedError(`Ce fichier XML est incomplet ou mal formé, vers la ligne ${line}. Téléchargez-le de nouveau.`)

const getLocalName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The line of a position, asked for in ascending order: each line break is looked for once. */
export function createLineCounter(text: string): (at: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (at) => {
    while (next !== -1 && next < at) {
      line++
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}

/**
 * Walks the tags of a document once, without a tree: a month of a large perimeter holds a million of them. Declarations
 * of types and entities are refused, never read.
 */
export function scanXml(text: string, handlers: XmlHandlers, at: { position: number } = { position: 0 }): void {
  const stack: string[] = []
  const lineAt = createLineCounter(text)
  let rooted = false
  let content = 0
  for (;;) {
    const start = text.indexOf('<', content)
    if (start === -1) break
    const end = findTagEnd(text, start)
    if (end === -1) throw createMalformedError(lineAt(start))
    at.position = start
    const second = text.charCodeAt(start + 1)
    if (second === 47) {
      const name = text.slice(start + 2, end).trimEnd()
      if (stack.pop() !== name) throw createMalformedError(lineAt(start))
      handlers.close(getLocalName(name), text.slice(content, start))
    } else if (second !== 33 && second !== 63) {
      if (stack.length === 0 && rooted) throw createMalformedError(lineAt(start))
      rooted = true
      openTag(text, start, end, stack, handlers)
    } else if (text.startsWith('<!DOCTYPE', start) || text.startsWith('<!ENTITY', start))
      throw createRefusal('Ce fichier XML contient une déclaration DOCTYPE, refusée par sécurité.')
    content = end + 1
  }
  if (!rooted || stack.length > 0) throw createMalformedError(lineAt(text.length))
}

function findTagEnd(text: string, start: number): number {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4)
    return end === -1 ? -1 : end + 2
  }
  if (text.startsWith('<?', start)) {
    const end = text.indexOf('?>', start + 2)
    return end === -1 ? -1 : end + 1
  }
  return text.indexOf('>', start)
}

function openTag(text: string, start: number, end: number, stack: string[], handlers: XmlHandlers): void {
  const empty = text.charCodeAt(end - 1) === 47
  const to = empty ? end - 1 : end
  let nameEnd = start + 1
  while (nameEnd < to && text.charCodeAt(nameEnd) > 32) nameEnd++
  const name = text.slice(start + 1, nameEnd)
  handlers.open(getLocalName(name), text.slice(nameEnd, to))
  if (empty) handlers.close(getLocalName(name), '')
  else stack.push(name)
}

const patterns = new Map<string, RegExp>()
/** The value of an attribute; the flows write `Name ="value"`. */
export function getXmlAttribute(attributes: string, name: string): string {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  return found?.[1] ?? found?.[2] ?? ''
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
export const unescapeXml = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES[name] ?? whole)
  })

/** The name of the first element, without its prefix. */
export const getRootName = (head: string): string => getLocalName(/<([A-Za-z_][\w:.-]*)/.exec(head)?.[1] ?? '')
