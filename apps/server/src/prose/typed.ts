import type { Block } from '@voisol/contract/prose'
import type { Token } from 'marked'
import { type Reading, toBlocks } from './blocks.ts'
import { decodeEntities } from './entities.ts'
import { safeHref } from './hrefs.ts'
import { known, plainInlines, toInlines } from './inline.ts'
import type { Typed } from './split.ts'

/** A piece of the text whose Markdown has been read. */
export type Read =
  | { kind: 'tokens'; tokens: Token[] }
  | { kind: 'literal'; text: string }
  | { kind: 'typed'; name: Typed; title: Token[]; argument: string; line: number; raw: string; parts: Read[] }
type TypedRead = Extract<Read, { kind: 'typed' }>

const TONES = { note: 'info', warning: 'warning', example: 'example' } as const
const literal = (text: string): Block => ({ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] })
const cleaned = (text: string) => decodeEntities(text.replace(/\*\*/g, '')).trim()

function figures({ raw, line }: TypedRead, { fault }: Reading): Block[] {
  const items: { figure: string; unit: string; label: string }[] = []
  const left: Block[] = []
  for (const row of raw.split('\n').filter((text) => text.trim() !== '')) {
    const [figure = '', unit = '', label = '', ...more] = row
      .replace(/^\s*[-*+]\s+/, '')
      .split('|')
      .map(cleaned)
    if (figure && label && !more.length) items.push({ figure, unit, label })
    else {
      left.push(literal(row))
      fault(
        `Bloc «\u00a0:::figures\u00a0» de la ligne ${line}\u00a0: «\u00a0${row.trim()}\u00a0» n’a pas la forme «\u00a0- 2 | km | légende\u00a0».`,
      )
    }
  }
  if (!items.length) fault(`Le bloc «\u00a0:::figures\u00a0» de la ligne ${line} ne contient aucun chiffre.`)
  return [...(items.length ? [{ kind: 'figures' as const, items }] : []), ...left]
}

function steps({ parts, line }: TypedRead, reading: Reading): Block[] {
  const before: Block[] = []
  const items: { title: string; blocks: Block[] }[] = []
  const add = (blocks: Block[]) => void (items.at(-1)?.blocks ?? before).push(...blocks)
  for (const part of parts) {
    if (part.kind !== 'tokens') {
      add(toProse([part], reading))
      continue
    }
    for (const token of known(part.tokens)) {
      if (token.type === 'heading')
        items.push({ title: plainInlines(toInlines(token.tokens, reading.fault)), blocks: [] })
      else add(toBlocks([token], reading))
    }
  }
  if (!items.length || before.length)
    reading.fault(
      `Bloc «\u00a0:::steps\u00a0» de la ligne ${line}\u00a0: chaque étape commence par une ligne «\u00a0### Titre\u00a0».`,
    )
  return [...before, ...(items.length ? [{ kind: 'steps' as const, items }] : [])]
}

function call({ argument, raw, line, parts }: TypedRead, reading: Reading): Block[] {
  const [address = '', ...words] = argument.split('|').map((part) => part.trim())
  const [title = '', ...rest] = raw.split('\n').map(cleaned).filter(Boolean)
  const href = safeHref(address)
  const label = cleaned(words.join('|'))
  if (href && label && title)
    return [{ kind: 'call', title: title.replace(/^#+\s*/, ''), text: rest.join(' '), label, href }]
  reading.fault(
    `Bloc «\u00a0:::call\u00a0» de la ligne ${line}\u00a0: la forme attendue est «\u00a0:::call /contact | Texte du bouton\u00a0», puis un titre.`,
  )
  return [literal(`:::call ${argument}`), ...toProse(parts, reading), literal(':::')]
}

function typed(part: TypedRead, reading: Reading): Block[] {
  switch (part.name) {
    case 'figures':
      return figures(part, reading)
    case 'steps':
      return steps(part, reading)
    case 'call':
      return call(part, reading)
    default: {
      const title = plainInlines(toInlines(part.title, reading.fault)).trim()
      return [{ kind: 'note', tone: TONES[part.name], title, blocks: toProse(part.parts, reading) }]
    }
  }
}

export const toProse = (parts: Read[], reading: Reading): Block[] =>
  parts.flatMap((part) => {
    if (part.kind === 'tokens') return toBlocks(part.tokens, reading)
    return part.kind === 'literal' ? [literal(part.text)] : typed(part, reading)
  })
