import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { explainError } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Prose } from '../../ui/prose/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PreviewPane } from './beside.tsx'
import type { ContentEditorState } from './use-content.ts'

const DEBOUNCE_MS = 400

/** The text once one has stopped typing. */
function useDebouncedText(text: string) {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

const Warnings = ({ warnings }: { warnings: string[] }) => (
  <section aria-label="À revoir" className="mt-3 rounded-card border border-warning/30 bg-warning-soft p-4">
    <h3 className="flex items-center gap-2 text-body font-medium">
      <TriangleAlert aria-hidden="true" className="size-4 text-warning" />À revoir avant de publier
    </h3>
    <ul className="mt-2 grid list-disc gap-1 pl-6 text-[0.8125rem]">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  </section>
)

/** Parsed by the server, drawn as the site draws it. */
export function BodyPreview({ form }: { form: ContentEditorState['form'] }) {
  const [title, summary, body] = useWatch({ control: form.control, name: ['title', 'summary', 'body'] })
  const { data, error } = useQuery({
    ...query(content.preview, { body: { body: useDebouncedText(body) } }),
    placeholderData: keepPreviousData,
    gcTime: 1000, // every pause of a long text would be kept
  })
  return (
    <div className="grid content-start">
      <div className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-body">
        <h3 className="font-medium">Aperçu</h3>
        {data && (
          <p className="tabular text-ink-soft">
            {formatCount(data.words, 'mot')}, {formatCount(data.readingMinutes, 'minute')} de lecture
          </p>
        )}
      </div>
      <PreviewPane
        label="Aperçu"
        className="h-[calc(65dvh+2.875rem)] min-h-[22.875rem] rounded-control border border-line bg-card p-5 sm:p-6"
      >
        {title && <p className="text-2xl font-semibold leading-snug text-balance">{title}</p>}
        {summary && <p className="mt-2 mb-8 text-base text-ink-soft">{summary}</p>}
        {data ? <Prose blocks={data.body} /> : !error && <Skeleton className="h-40 w-full" />}
        {data && data.body.length === 0 && (
          <p className="text-body text-ink-soft">Le texte apparaîtra ici à mesure que vous l’écrirez.</p>
        )}
      </PreviewPane>
      {error && (
        <p role="alert" className="mt-3 text-body text-danger">
          {explainError(error)}
        </p>
      )}
      {data && body && data.warnings.length > 0 && <Warnings warnings={data.warnings} />}
    </div>
  )
}
