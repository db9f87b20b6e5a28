import type { Inline } from '@voisol/contract/prose'
import type { MarkedToken, Token } from 'marked'
import { decodeEntities } from './entities.ts'
import { toSafeHref } from './hrefs.ts'

export type ReportFault = (text: string) => void

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
