import type { Inline } from '@voisol/contract/prose'
import type { MarkedToken, Token } from 'marked'
import { decodeEntities } from './entities.ts'
import { safeHref } from './hrefs.ts'

export type Fault = (text: string) => void

/** Our lexer knows no extension: every token is one of Markdown's own. */
export const known = (tokens: Token[] | undefined): MarkedToken[] => (tokens ?? []) as MarkedToken[]

const text = (value: string): Inline[] => (value === '' ? [] : [{ kind: 'text', text: value }])
/** A line that ends in the editor does not end on the page. */
const unwrapped = (value: string) => value.replace(/[ \t]*\n[ \t]*/g, ' ')

function link(token: MarkedToken & { type: 'link' }, fault: Fault): Inline[] {
  const children = toInlines(token.tokens, fault)
  const href = safeHref(token.autolink ? token.href : decodeEntities(token.href))
  if (href !== undefined && children.length) return [{ kind: 'link', href, children }]
  fault(
    `Le lien «\u00a0${plainInlines(children)}\u00a0» est retiré\u00a0: une adresse en https://, mailto:, / ou # est attendue.`,
  )
  return children
}

function inline(token: MarkedToken, fault: Fault): Inline[] {
  switch (token.type) {
    case 'strong':
    case 'em': {
      const children = toInlines(token.tokens, fault)
      return children.length ? [{ kind: token.type === 'em' ? 'emphasis' : 'strong', children }] : []
    }
    case 'link':
      return link(token, fault)
    case 'image':
      return text(decodeEntities(token.text))
    case 'codespan':
      return [{ kind: 'code', text: token.text }]
    case 'br':
      return [{ kind: 'break' }]
    case 'checkbox':
      return text(token.checked ? '☑ ' : '☐ ')
    case 'del':
      return toInlines(token.tokens, fault)
    case 'html':
      fault('Le code HTML n’est pas interprété\u00a0: il est montré comme du texte.')
      return text(unwrapped(token.text))
    case 'escape':
      return text(token.text)
    case 'text':
      return token.tokens?.length ? toInlines(token.tokens, fault) : text(decodeEntities(unwrapped(token.text)))
    default:
      return text(unwrapped(token.raw))
  }
}

/** Neighbouring texts are one. */
function joined(nodes: Inline[]): Inline[] {
  const result: Inline[] = []
  for (const node of nodes) {
    const last = result.at(-1)
    if (node.kind === 'text' && last?.kind === 'text')
      result[result.length - 1] = text(last.text + node.text)[0] ?? node
    else result.push(node)
  }
  return result
}

export const toInlines = (tokens: Token[] | undefined, fault: Fault): Inline[] =>
  joined(known(tokens).flatMap((token) => inline(token, fault)))

export const plainInlines = (nodes: Inline[]): string =>
  nodes
    .map((node) => (node.kind === 'break' ? ' ' : 'children' in node ? plainInlines(node.children) : node.text))
    .join('')
