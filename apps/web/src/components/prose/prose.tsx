import type { Block, Inline } from '@voisol/contract/prose'
import Info from 'lucide-react/icons/info'
import Lightbulb from 'lucide-react/icons/lightbulb'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../button.tsx'
import { HighlightedCode } from '../code/code-block.tsx'
import { cx } from '../cx.ts'

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

type BlockOfKind<K extends Block['kind']> = Extract<Block, { kind: K }>

const noteTones = {
  info: { Icon: Info, look: 'border-line bg-page', icon: 'text-primary-ink' },
  warning: { Icon: TriangleAlert, look: 'border-warning/30 bg-warning-soft', icon: 'text-warning' },
  example: { Icon: Lightbulb, look: 'border-[#fbd38a] bg-[#fffaf0]', icon: 'text-[#b45309]' },
}

function ProseNote({ tone, title, children }: Pick<BlockOfKind<'note'>, 'tone' | 'title'> & { children: ReactNode }) {
  const { Icon, look, icon } = noteTones[tone]
  return (
    <aside className={cx('my-8 rounded-card border p-5', look)}>
      <p className="flex items-center gap-2.5 font-semibold text-ink">
        <Icon aria-hidden="true" className={cx('size-5 shrink-0', icon)} />
        {title || { info: 'À noter', warning: 'Attention', example: 'Exemple' }[tone]}
      </p>
      <div className="mt-2">{children}</div>
    </aside>
  )
}

const alignClasses = {
  start: 'text-left max-sm:[overflow-wrap:anywhere]',
  center: 'text-center',
  end: 'text-right tabular',
}

/** Its words wrap on a telephone, so that no column is hidden; wider than any window, it still scrolls by itself. */
const ProseTable = ({ head, rows, align }: BlockOfKind<'table'>) => (
  // biome-ignore lint/a11y/useSemanticElements: a group and no region, of which a text with five tables would have five
  <div
    role="group"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    tabIndex={0}
    aria-label="Tableau"
    className="my-8 overflow-x-auto rounded-card border border-line"
  >
    <table
      className={cx(
        'w-full border-collapse hyphens-auto sm:min-w-max sm:text-[0.9375rem]',
        head.length > 4 ? 'text-[0.6875rem]' : 'text-[0.8125rem]',
      )}
    >
      <thead className="bg-page">
        <tr>
          {renderEach(head, (cell, index) => (
            <th
              scope="col"
              className={cx(
                'px-1 py-2.5 align-bottom font-medium text-ink max-sm:[overflow-wrap:anywhere] sm:px-4 sm:py-3',
                alignClasses[align[index] ?? 'start'],
              )}
            >
              <InlineContent parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {renderEach(rows, (row) => (
          <tr className="border-t border-line">
            {renderEach(row, (cell, index) => (
              <td
                className={cx('max-w-md px-1 py-2.5 align-top sm:px-4 sm:py-3', alignClasses[align[index] ?? 'start'])}
              >
                <InlineContent parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const ProseCode = ({ text, language }: BlockOfKind<'code'>) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    tabIndex={0}
    className="my-8 overflow-x-auto rounded-card bg-ink p-5 text-[0.875rem] leading-relaxed text-slate-100"
  >
    <code data-language={language || undefined}>
      <HighlightedCode code={text} language={language} />
    </code>
  </pre>
)

const ProseImage = ({ src, alt, caption }: BlockOfKind<'image'>) => (
  <figure className="my-10">
    <img src={src} alt={alt} loading="lazy" decoding="async" className="w-full rounded-card border border-line" />
    {caption && <figcaption className="mt-2 text-center text-[0.875rem] text-ink-muted">{caption}</figcaption>}
  </figure>
)

const ProseFigures = ({ items }: BlockOfKind<'figures'>) => (
  <dl className="my-8 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2">
    {items.map(({ figure, unit, label }) => (
      <div key={label} className="flex flex-col-reverse justify-end bg-card p-5">
        <dt className="mt-1 text-[0.9375rem]">{label}</dt>
        <dd className="tabular text-3xl font-semibold tracking-tight text-ink">
          {figure}
          {unit && <span className="text-[0.6em] font-normal text-ink-soft">&nbsp;{unit}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

const ProseSteps = ({ items }: { items: { title: string; body: ReactNode }[] }) => (
  <ol className="my-8 grid gap-8">
    {items.map(({ title, body }, index) => (
      <li key={title} className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-4">
        <span
          aria-hidden="true"
          className="tabular grid size-10 place-items-center rounded-full border border-[#fbd38a] bg-[#fffaf0] font-semibold text-[#92400e]"
        >
          {index + 1}
        </span>
        <div className="pt-1.5">
          <p className="mb-1.5 text-lg font-semibold text-ink">{title}</p>
          {body}
        </div>
      </li>
    ))}
  </ol>
)

const CallToAction = ({ title, text, label, href }: BlockOfKind<'call'>) => (
  <aside className="my-10 grid gap-4 rounded-card border border-[#fbd38a] bg-[#fffaf0] p-6 sm:grid-cols-[1fr_auto] sm:items-center">
    <div>
      <p className="text-lg font-semibold text-ink">{title}</p>
      {text && <p className="mt-1">{text}</p>}
    </div>
    <ButtonLink to={href}>{label}</ButtonLink>
  </aside>
)

const isInternalLink = (href: string) => href.startsWith('/') || href.startsWith('#')
const linkClass = 'text-link'

function InlinePart({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'break':
      return <br />
    case 'code':
      return <code className="rounded bg-slate-100 px-1.5 py-0.5 text-[0.9em]">{part.text}</code>
    case 'strong':
      return (
        <strong className="font-semibold text-ink">
          <InlineContent parts={part.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineContent parts={part.children} />
        </em>
      )
    case 'link':
      return isInternalLink(part.href) ? (
        <Link to={part.href} className={linkClass}>
          <InlineContent parts={part.children} />
        </Link>
      ) : (
        <a href={part.href} rel="noopener noreferrer" className={linkClass}>
          <InlineContent parts={part.children} />
        </a>
      )
  }
}

const InlineContent = ({ parts }: { parts: Inline[] }) => renderEach(parts, (part) => <InlinePart part={part} />)

/** Written text does not change its order while it is shown: its parts need no names of their own. */
const renderEach = <T,>(items: readonly T[], draw: (item: T, index: number) => ReactNode) =>
  createElement(Fragment, null, ...items.map(draw))
