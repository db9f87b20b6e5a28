import { CopyButton } from '../copy-button.tsx'
import { HighlightedCode } from './highlighted.tsx'

type Props = { code: string; language: string; label: string; copy?: string }

/** Something to be taken along: a sample, a key, a body. */
export const CodePanel = ({ code, language, label, copy = 'Copier' }: Props) => (
  <div className="grid gap-2 [&>*]:min-w-0">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-body font-medium">{label}</p>
      <CopyButton text={code} label={copy} />
    </div>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-card bg-ink p-4 text-[0.8125rem] leading-relaxed text-slate-100"
    >
      <HighlightedCode code={code} language={language} />
    </pre>
  </div>
)
