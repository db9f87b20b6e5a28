import { z } from 'zod'

/** Written text as a tree: what an editor typed in Markdown, already parsed, so that nothing but known parts is ever drawn. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }

export type Block =
  | { kind: 'heading'; level: 2 | 3 | 4; id: string; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; align: ('start' | 'center' | 'end')[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'image'; src: string; alt: string; caption: string }
  | { kind: 'rule' }
  | { kind: 'note'; tone: 'info' | 'warning' | 'example'; title: string; blocks: Block[] }
  | { kind: 'figures'; items: { figure: string; unit: string; label: string }[] }
  | { kind: 'steps'; items: { title: string; blocks: Block[] }[] }
  | { kind: 'call'; title: string; text: string; label: string; href: string }

const text = z.string()
const inlines = z.lazy(() => z.array(Inline))
const blocks = z.lazy(() => z.array(Block))

export const Inline: z.ZodType<Inline> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text }),
  z.object({ kind: z.literal('code'), text }),
  z.object({ kind: z.literal('break') }),
  z.object({ kind: z.enum(['strong', 'emphasis']), children: inlines }),
  z.object({ kind: z.literal('link'), href: text, children: inlines }),
])

export const Block: z.ZodType<Block> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('heading'),
    level: z.union([z.literal(2), z.literal(3), z.literal(4)]),
    id: text,
    children: inlines,
  }),
  z.object({ kind: z.literal('paragraph'), children: inlines }),
  z.object({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(blocks) }),
  z.object({ kind: z.literal('quote'), blocks }),
  z.object({
    kind: z.literal('table'),
    align: z.array(z.enum(['start', 'center', 'end'])),
    head: z.array(inlines),
    rows: z.array(z.array(inlines)),
  }),
  z.object({ kind: z.literal('code'), language: text, text }),
  z.object({ kind: z.literal('image'), src: text, alt: text, caption: text }),
  z.object({ kind: z.literal('rule') }),
  z.object({ kind: z.literal('note'), tone: z.enum(['info', 'warning', 'example']), title: text, blocks }),
  z.object({ kind: z.literal('figures'), items: z.array(z.object({ figure: text, unit: text, label: text })) }),
  z.object({ kind: z.literal('steps'), items: z.array(z.object({ title: text, blocks })) }),
  z.object({ kind: z.literal('call'), title: text, text, label: text, href: text }),
])
