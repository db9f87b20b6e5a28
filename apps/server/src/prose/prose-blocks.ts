import type { Block, Inline } from '@voisol/contract/prose'
import type { MarkedToken, Token, Tokens } from 'marked'

export type ProseContext = {
  fault: ReportFault
  idOf: ReturnType<typeof createHeadingIds>
  /** 1 when the first heading level of the text is `#`: the page keeps the only h1. */
  shift: number
  /** The level of each heading, before it is limited to the levels that a page has. */
  levels: number[]
}

const toParagraph = (children: Inline[]): Block[] =>
  children.some((node) => node.kind !== 'text' || node.text.trim() !== '') ? [{ kind: 'paragraph', children }] : []

function toImageBlocks(token: Tokens.Image, { fault }: ProseContext): Block[] {
  const alt = decodeEntities(token.text).trim()
  const src = toSafeImageSrc(decodeEntities(token.href))
  if (src) return [{ kind: 'image', src, alt, caption: decodeEntities(token.title ?? '').trim() }]
  fault(
    `L’image «\u00a0${alt || token.href.slice(0, 80)}\u00a0» est retirée\u00a0: déposez-la parmi les images du site.`,
  )
  return toParagraph(alt ? [{ kind: 'text', text: alt }] : [])
}

/** An image within a paragraph splits it into two. */
function toParagraphs(tokens: Token[], reading: ProseContext): Block[] {
  const blocks: Block[] = []
  let words: Token[] = []
  const flush = () => {
    blocks.push(...toParagraph(toInlines(words, reading.fault)))
    words = []
  }
  for (const token of toMarkedTokens(tokens)) {
    if (token.type === 'image') {
      flush()
      blocks.push(...toImageBlocks(token, reading))
    } else words.push(token)
  }
  flush()
  return blocks
}

const clampHeadingLevel = (level: number): 2 | 3 | 4 => (level <= 2 ? 2 : level === 3 ? 3 : 4)

function toHeading(token: Tokens.Heading, reading: ProseContext): Block[] {
  const children = toInlines(token.tokens, reading.fault)
  const text = toPlainInlines(children)
  if (text.trim() === '') return []
  const level = token.depth + reading.shift
  reading.levels.push(level)
  return [{ kind: 'heading', level: clampHeadingLevel(level), id: reading.idOf(text), children }]
}

function toTable(token: Tokens.Table, { fault }: ProseContext): Block {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => toInlines(cell.tokens, fault))
  return {
    kind: 'table',
    align: token.align.map((side) => (side === 'right' ? 'end' : side === 'center' ? 'center' : 'start')),
    head: cells(token.header),
    rows: token.rows.map(cells),
  }
}

function toBlock(token: MarkedToken, reading: ProseContext): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return toHeading(token, reading)
    case 'paragraph':
      return toParagraphs(token.tokens, reading)
    case 'text':
      return toParagraphs(token.tokens ?? [token], reading)
    case 'list':
      return [
        { kind: 'list', ordered: token.ordered, items: token.items.map((item) => toBlocks(item.tokens, reading)) },
      ]
    case 'blockquote':
      return [{ kind: 'quote', blocks: toBlocks(token.tokens, reading) }]
    case 'table':
      return [toTable(token, reading)]
    case 'code':
      return [{ kind: 'code', language: /^[\w+#-]{1,20}/.exec(token.lang ?? '')?.[0] ?? '', text: token.text }]
    case 'hr':
      return [{ kind: 'rule' }]
    default:
      return toParagraph(toInlines([token], reading.fault))
  }
}

export const toBlocks = (tokens: Token[], reading: ProseContext): Block[] =>
  toMarkedTokens(tokens).flatMap((token) => toBlock(token, reading))

type ReportFault = (text: string) => void

/** Our lexer has no extensions: every token is a standard Markdown token. */
export const toMarkedTokens = (tokens: Token[] | undefined): MarkedToken[] => (tokens ?? []) as MarkedToken[]

const toTextNodes = (value: string): Inline[] => (value === '' ? [] : [{ kind: 'text', text: value }])
/** A line break in the editor is not one on the page. */
const joinLines = (value: string) => value.replace(/[ \t]*\n[ \t]*/g, ' ')

function toLink(token: MarkedToken & { type: 'link' }, fault: ReportFault): Inline[] {
  const children = toInlines(token.tokens, fault)
  const href = toSafeHref(token.autolink ? token.href : decodeEntities(token.href))
  if (href !== undefined && children.length) return [{ kind: 'link', href, children }]
  fault(
    `Le lien «\u00a0${toPlainInlines(children)}\u00a0» est retiré\u00a0: une adresse en https://, mailto:, / ou # est attendue.`,
  )
  return children
}

function toInline(token: MarkedToken, fault: ReportFault): Inline[] {
  switch (token.type) {
    case 'strong':
    case 'em': {
      const children = toInlines(token.tokens, fault)
      return children.length ? [{ kind: token.type === 'em' ? 'emphasis' : 'strong', children }] : []
    }
    case 'link':
      return toLink(token, fault)
    case 'image':
      return toTextNodes(decodeEntities(token.text))
    case 'codespan':
      return [{ kind: 'code', text: token.text }]
    case 'br':
      return [{ kind: 'break' }]
    case 'checkbox':
      return toTextNodes(token.checked ? '☑ ' : '☐ ')
    case 'del':
      return toInlines(token.tokens, fault)
    case 'html':
      fault('Le code HTML n’est pas interprété\u00a0: il est montré comme du texte.')
      return toTextNodes(joinLines(token.text))
    case 'escape':
      return toTextNodes(token.text)
    case 'text':
      return token.tokens?.length ? toInlines(token.tokens, fault) : toTextNodes(decodeEntities(joinLines(token.text)))
    default:
      return toTextNodes(joinLines(token.raw))
  }
}

/** Adjacent text nodes are joined. */
function mergeTexts(nodes: Inline[]): Inline[] {
  const result: Inline[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      result[result.length - 1] = toTextNodes(last.text + node.text)[0] ?? node
    else result.push(node)
  }
  return result
}

export const toInlines = (tokens: Token[] | undefined, fault: ReportFault): Inline[] =>
  mergeTexts(toMarkedTokens(tokens).flatMap((token) => toInline(token, fault)))

export const toPlainInlines = (nodes: Inline[]): string =>
  nodes
    .map((node) => (node.kind === 'break' ? ' ' : 'children' in node ? toPlainInlines(node.children) : node.text))
    .join('')

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const IMAGE_PATH = new RegExp(`^/(?:api/site-images/${UUID}|(?:product|illustrations)/[A-Za-z0-9][A-Za-z0-9/_.-]*)$`)
/**
 * Browsers drop some of these characters and read others as a slash, so that the checked link would differ from the one
 * followed.
 */
const UNSAFE_CHARACTERS = /[\s\\<>"'`\p{Cc}\p{Cf}]/u
const MAILTO = /^mailto:[^\s@:/?#]+@[^\s@:/?#]+(?:\?(?:subject|body)=[^#]*)?$/i

function isWebAddress(href: string): boolean {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return false
  const { protocol, username, password, hostname } = new URL(href)
  return /^https?:$/.test(protocol) && !username && !password && hostname !== ''
}

/** A link may lead to the web, a mailbox, an address of this site or an anchor of the page. */
export function toSafeHref(href: string): string | undefined {
  const trimmed = href.trim()
  if (trimmed === '' || UNSAFE_CHARACTERS.test(trimmed)) return undefined
  const known = /^\/(?!\/)/.test(trimmed) || /^#./.test(trimmed) || MAILTO.test(trimmed) || isWebAddress(trimmed)
  return known ? trimmed : undefined
}

/** Only images of this site are allowed: an external one would tell another host who reads the page. */
const toSafeImageSrc = (src: string): string | undefined =>
  IMAGE_PATH.test(src) && !src.includes('..') ? src : undefined

const IMAGE_ID = new RegExp(`^/api/site-images/(${UUID})$`)
export const parseSiteImageId = (src: string): string | undefined => IMAGE_ID.exec(src)?.[1]

/** Letters and digits without accents, joined by dashes. */
const slugify = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/œ/gi, 'oe')
    .replace(/æ/gi, 'ae')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
    .replace(/-$/, '')

/** Two headings with the same text get different anchors. */
export function createHeadingIds() {
  const used = new Set<string>()
  const next = new Map<string, number>()
  return (text: string): string => {
    const base = slugify(text) || 'section'
    let n = next.get(base) ?? 1
    let id = n === 1 ? base : `${base}-${n}`
    while (used.has(id)) id = `${base}-${++n}`
    next.set(base, n + 1)
    used.add(id)
    return id
  }
}

const NAMED_ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  thinsp: '\u2009',
  shy: '\u00ad',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  euro: '€',
  deg: '°',
  times: '×',
  middot: '·',
  bull: '•',
  sup2: '²',
  sup3: '³',
  frac12: '½',
  copy: '©',
  reg: '®',
}

function decodeNumericEntity(digits: string, base: number): string | undefined {
  const code = Number.parseInt(digits, base)
  const isText =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code < 0xe000)
  return isText ? String.fromCodePoint(code) : undefined
}

/** `&nbsp;` and similar entities become their character; an unknown one stays as typed. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,7}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name) return (Object.hasOwn(NAMED_ENTITIES, name) ? NAMED_ENTITIES[name] : undefined) ?? whole
      return (decimal ? decodeNumericEntity(decimal, 10) : decodeNumericEntity(hex, 16)) ?? whole
    },
  )
