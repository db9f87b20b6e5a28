import type { Block } from '@voisol/contract/prose'
import { cx } from '../cx.ts'
import { CallToAction, ProseCode, ProseFigures, ProseImage, ProseNote, ProseSteps, ProseTable } from './blocks.tsx'
import { renderEach } from './each.ts'
import { InlineContent } from './inline.tsx'

const headingClasses = {
  2: 'mt-14 mb-4 text-2xl font-semibold leading-snug sm:text-[1.75rem] first:mt-0',
  3: 'mt-10 mb-3 text-xl font-semibold leading-snug first:mt-0',
  4: 'mt-8 mb-2 text-lg font-semibold first:mt-0',
}

function Heading({ level, id, children }: Extract<Block, { kind: 'heading' }>) {
  const Tag = `h${level}` as const
  return (
    <Tag id={id} className={cx('scroll-mt-24 text-ink', headingClasses[level])}>
      <InlineContent parts={children} />
    </Tag>
  )
}

const List = ({ ordered, items }: Extract<Block, { kind: 'list' }>) => {
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <Tag
      className={cx('my-5 grid gap-2 pl-6 marker:text-ink-muted', ordered ? 'list-decimal' : 'list-disc', 'first:mt-0')}
    >
      {renderEach(items, (blocks) => (
        <li className="pl-1 [&>p]:my-0">
          <Blocks blocks={blocks} />
        </li>
      ))}
    </Tag>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <Heading {...block} />
    case 'paragraph':
      return (
        <p className="my-5 text-pretty first:mt-0 last:mb-0">
          <InlineContent parts={block.children} />
        </p>
      )
    case 'list':
      return <List {...block} />
    case 'quote':
      return (
        <blockquote className="my-8 border-l-4 border-local pl-5 text-lg text-ink">
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'table':
      return <ProseTable {...block} />
    case 'code':
      return <ProseCode {...block} />
    case 'image':
      return <ProseImage {...block} />
    case 'rule':
      return <hr className="my-12 border-line" />
    case 'note':
      return (
        <ProseNote {...block}>
          <Blocks blocks={block.blocks} />
        </ProseNote>
      )
    case 'figures':
      return <ProseFigures {...block} />
    case 'steps':
      return (
        <ProseSteps items={block.items.map(({ title, blocks }) => ({ title, body: <Blocks blocks={blocks} /> }))} />
      )
    case 'call':
      return <CallToAction {...block} />
  }
}

const Blocks = ({ blocks }: { blocks: Block[] }) => renderEach(blocks, (block) => <BlockView block={block} />)

/** What an editor wrote, drawn from its tree: nothing in it can be more than text and known parts. */
export const Prose = ({ blocks, className }: { blocks: Block[]; className?: string }) => (
  <div className={cx('text-[1.0625rem] leading-relaxed text-ink-soft break-words', className)}>
    <Blocks blocks={blocks} />
  </div>
)
