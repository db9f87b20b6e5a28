import Download from 'lucide-react/icons/download'
import { useMemo } from 'react'
import { Button } from '../../../../components/button.tsx'
import { downloadBlob } from '../../../../components/chart/chart-export.ts'
import { CopyButton } from '../../../../components/copy-button.tsx'
import { cx } from '../../../../components/cx.ts'
import { formatCount } from '../../../../lib/format.ts'

const MAX_DISPLAYED_CHARS = 8000

const TOKEN_CLASSES: Record<JsonToken['kind'], string> = {
  key: 'text-sky-300',
  text: 'text-emerald-300',
  number: 'text-amber-300',
  word: 'text-fuchsia-300',
  plain: 'text-slate-300',
}

const HighlightedJson = ({ text }: { text: string }) => {
  let at = 0
  return tokenizeJson(text).map(({ kind, text: piece }) => {
    at += piece.length
    return (
      <span key={at} className={TOKEN_CLASSES[kind]}>
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
  const { text, isJson } = useMemo(() => formatJson(body), [body])
  const { shown, left } = useMemo(() => truncateAtLine(text, MAX_DISPLAYED_CHARS), [text])
  const coloured = useMemo(() => (isJson ? <HighlightedJson text={shown} /> : shown), [isJson, shown])
  if (body === '') return <p className="text-body text-ink-soft">Réponse sans contenu.</p>
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-[0.8125rem] text-ink-soft">
          {label}
          {left > 0 && ` (début\u00a0; ${formatCount(left, 'caractère')} de plus)`}
        </p>
        <div data-print="hide" className="flex flex-wrap gap-2">
          <CopyButton text={text} />
          {file && (
            <Button
              variant="secondary"
              size="small"
              icon={<Download aria-hidden="true" />}
              onClick={() => downloadBlob(file, new Blob([body], { type: isJson ? 'application/json' : 'text/plain' }))}
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

type JsonToken = { kind: 'key' | 'text' | 'number' | 'word' | 'plain'; text: string }

/** Indented where it is JSON; as it came otherwise. */
export function formatJson(body: string): { text: string; isJson: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(body), null, 2), isJson: true }
  } catch {
    return { text: body, isJson: false }
  }
}

const TOKEN_PATTERN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

function* generateTokens(text: string): Generator<JsonToken> {
  let end = 0
  for (const found of text.matchAll(TOKEN_PATTERN)) {
    const [whole, quoted, colon, word] = found
    if (found.index > end) yield { kind: 'plain', text: text.slice(end, found.index) }
    yield { kind: quoted ? (colon ? 'key' : 'text') : word ? 'word' : 'number', text: quoted ?? whole }
    if (colon) yield { kind: 'plain', text: colon }
    end = found.index + whole.length
  }
  if (end < text.length) yield { kind: 'plain', text: text.slice(end) }
}

/** The words of a JSON text, in order: put together they are the text again. */
export const tokenizeJson = (text: string): JsonToken[] => [...generateTokens(text)]

/** What fits on a screen, ended at a line. */
export function truncateAtLine(text: string, most: number): { shown: string; left: number } {
  if (text.length <= most) return { shown: text, left: 0 }
  const line = text.lastIndexOf('\n', most)
  const shown = text.slice(0, line > most / 2 ? line : most)
  return { shown, left: text.length - shown.length }
}
