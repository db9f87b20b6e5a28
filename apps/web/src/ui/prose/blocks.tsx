import type { Block } from '@voisol/contract/prose'
import Info from 'lucide-react/icons/info'
import Lightbulb from 'lucide-react/icons/lightbulb'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import { ButtonLink } from '../button.tsx'
import { HighlightedCode } from '../code/highlighted.tsx'
import { cx } from '../cx.ts'
import { renderEach } from './each.ts'
import { InlineContent } from './inline.tsx'

type BlockOfKind<K extends Block['kind']> = Extract<Block, { kind: K }>

const noteTones = {
  info: { Icon: Info, look: 'border-line bg-page', icon: 'text-primary-ink' },
  warning: { Icon: TriangleAlert, look: 'border-warning/30 bg-warning-soft', icon: 'text-warning' },
  example: { Icon: Lightbulb, look: 'border-[#fbd38a] bg-[#fffaf0]', icon: 'text-[#b45309]' },
}

export function ProseNote({
  tone,
  title,
  children,
}: Pick<BlockOfKind<'note'>, 'tone' | 'title'> & { children: ReactNode }) {
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
export const ProseTable = ({ head, rows, align }: BlockOfKind<'table'>) => (
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

export const ProseCode = ({ text, language }: BlockOfKind<'code'>) => (
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

export const ProseImage = ({ src, alt, caption }: BlockOfKind<'image'>) => (
  <figure className="my-10">
    <img src={src} alt={alt} loading="lazy" decoding="async" className="w-full rounded-card border border-line" />
    {caption && <figcaption className="mt-2 text-center text-[0.875rem] text-ink-muted">{caption}</figcaption>}
  </figure>
)

export const ProseFigures = ({ items }: BlockOfKind<'figures'>) => (
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

export const ProseSteps = ({ items }: { items: { title: string; body: ReactNode }[] }) => (
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

export const CallToAction = ({ title, text, label, href }: BlockOfKind<'call'>) => (
  <aside className="my-10 grid gap-4 rounded-card border border-[#fbd38a] bg-[#fffaf0] p-6 sm:grid-cols-[1fr_auto] sm:items-center">
    <div>
      <p className="text-lg font-semibold text-ink">{title}</p>
      {text && <p className="mt-1">{text}</p>}
    </div>
    <ButtonLink to={href}>{label}</ButtonLink>
  </aside>
)
