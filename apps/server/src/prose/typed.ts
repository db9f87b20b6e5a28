import type { Block } from '@voisol/contract/prose'
import type { Token } from 'marked'
import { type ProseContext, toBlocks } from './blocks.ts'
import { decodeEntities } from './entities.ts'
import { toSafeHref } from './hrefs.ts'
import { toInlines, toMarkedTokens, toPlainInlines } from './inline.ts'
import type { TypedBlockName } from './split.ts'

/** A piece of the text with its Markdown parsed. */
export type ParsedPiece =
  | { kind: 'tokens'; tokens: Token[] }
  | { kind: 'literal'; text: string }
  | {
      kind: 'typed'
      name: TypedBlockName
      title: Token[]
      argument: string
      line: number
      raw: string
      parts: ParsedPiece[]
    }
type TypedPiece = Extract<ParsedPiece, { kind: 'typed' }>

const TONES = { note: 'info', warning: 'warning', example: 'example' } as const
const toLiteralBlock = (text: string): Block => ({ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] })
const cleanText = (text: string) => decodeEntities(text.replace(/\*\*/g, '')).trim()

function toFigures({ raw, line }: TypedPiece, { fault }: ProseContext): Block[] {
  const items: { figure: string; unit: string; label: string }[] = []
  const left: Block[] = []
  for (const row of raw.split('\n').filter((text) => text.trim() !== '')) {
    const [figure = '', unit = '', label = '', ...more] = row
      .replace(/^\s*[-*+]\s+/, '')
      .split('|')
      .map(cleanText)
    if (figure && label && !more.length) items.push({ figure, unit, label })
    else {
      left.push(toLiteralBlock(row))
      fault(
        `Bloc «\u00a0:::figures\u00a0» de la ligne ${line}\u00a0: «\u00a0${row.trim()}\u00a0» n’a pas la forme «\u00a0- 2 | km | légende\u00a0».`,
      )
    }
  }
  if (!items.length) fault(`Le bloc «\u00a0:::figures\u00a0» de la ligne ${line} ne contient aucun chiffre.`)
  return [...(items.length ? [{ kind: 'figures' as const, items }] : []), ...left]
}

function toSteps({ parts, line }: TypedPiece, reading: ProseContext): Block[] {
  const before: Block[] = []
  const items: { title: string; blocks: Block[] }[] = []
  const add = (blocks: Block[]) => void (items.at(-1)?.blocks ?? before).push(...blocks)
  for (const part of parts) {
    if (part.kind !== 'tokens') {
      add(toProseBlocks([part], reading))
      continue
    }
    for (const token of toMarkedTokens(part.tokens)) {
      if (token.type === 'heading')
        items.push({ title: toPlainInlines(toInlines(token.tokens, reading.fault)), blocks: [] })
      else add(toBlocks([token], reading))
    }
  }
  if (!items.length || before.length)
    reading.fault(
      `Bloc «\u00a0:::steps\u00a0» de la ligne ${line}\u00a0: chaque étape commence par une ligne «\u00a0### Titre\u00a0».`,
    )
  return [...before, ...(items.length ? [{ kind: 'steps' as const, items }] : [])]
}

function toCall({ argument, raw, line, parts }: TypedPiece, reading: ProseContext): Block[] {
  const [address = '', ...words] = argument.split('|').map((part) => part.trim())
  const [title = '', ...rest] = raw.split('\n').map(cleanText).filter(Boolean)
  const href = toSafeHref(address)
  const label = cleanText(words.join('|'))
  if (href && label && title)
    return [{ kind: 'call', title: title.replace(/^#+\s*/, ''), text: rest.join(' '), label, href }]
  reading.fault(
    `Bloc «\u00a0:::call\u00a0» de la ligne ${line}\u00a0: la forme attendue est «\u00a0:::call /contact | Texte du bouton\u00a0», puis un titre.`,
  )
  return [toLiteralBlock(`:::call ${argument}`), ...toProseBlocks(parts, reading), toLiteralBlock(':::')]
}

function toTypedBlock(part: TypedPiece, reading: ProseContext): Block[] {
  switch (part.name) {
    case 'figures':
      return toFigures(part, reading)
    case 'steps':
      return toSteps(part, reading)
    case 'call':
      return toCall(part, reading)
    default: {
      const title = toPlainInlines(toInlines(part.title, reading.fault)).trim()
      return [{ kind: 'note', tone: TONES[part.name], title, blocks: toProseBlocks(part.parts, reading) }]
    }
  }
}

export const toProseBlocks = (parts: ParsedPiece[], reading: ProseContext): Block[] =>
  parts.flatMap((part) => {
    if (part.kind === 'tokens') return toBlocks(part.tokens, reading)
    return part.kind === 'literal' ? [toLiteralBlock(part.text)] : toTypedBlock(part, reading)
  })
