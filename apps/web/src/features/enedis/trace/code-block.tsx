import Download from 'lucide-react/icons/download'
import { useMemo } from 'react'
import { plural } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { save } from '../../../ui/chart/download.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { cx } from '../../../ui/cx.ts'
import { excerpt, type Piece, pieces, pretty } from './json-text.ts'

const MOST = 8000

const colours: Record<Piece['kind'], string> = {
  key: 'text-sky-300',
  text: 'text-emerald-300',
  number: 'text-amber-300',
  word: 'text-fuchsia-300',
  plain: 'text-slate-300',
}

const Coloured = ({ text }: { text: string }) => {
  let at = 0
  return pieces(text).map(({ kind, text: piece }) => {
    at += piece.length
    return (
      <span key={at} className={colours[kind]}>
        {piece}
      </span>
    )
  })
}

type CodeBlockProps = {
  /** What it is; read out as the name of the region that scrolls. */
  label: string
  body: string
  /** Offers to take it away under this name. */
  file?: string
  className?: string
}

/** A body as it came, indented and coloured where it is JSON; a long one is cut here and whole in what is copied or taken away. */
export function CodeBlock({ label, body, file, className = 'max-h-96' }: CodeBlockProps) {
  const { text, isJson } = useMemo(() => pretty(body), [body])
  const { shown, left } = useMemo(() => excerpt(text, MOST), [text])
  const coloured = useMemo(() => (isJson ? <Coloured text={shown} /> : shown), [isJson, shown])
  if (body === '') return <p className="text-body text-ink-soft">Réponse sans contenu.</p>
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-[0.8125rem] text-ink-soft">
          {label}
          {left > 0 && ` (début\u00a0; ${plural(left, 'caractère')} de plus)`}
        </p>
        <div data-print="hide" className="flex flex-wrap gap-2">
          <CopyButton text={text} />
          {file && (
            <Button
              variant="secondary"
              size="small"
              icon={<Download aria-hidden="true" />}
              onClick={() => save(file, new Blob([body], { type: isJson ? 'application/json' : 'text/plain' }))}
            >
              Télécharger
            </Button>
          )}
        </div>
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
        tabIndex={0}
        aria-label={label}
        className={cx('overflow-auto rounded-control bg-ink p-4', className)}
      >
        <pre className="text-[0.8125rem] leading-relaxed text-slate-200">{coloured}</pre>
      </section>
    </div>
  )
}
